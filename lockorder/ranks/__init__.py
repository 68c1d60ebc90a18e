"""What each rank of a job issues: programs run on paper, once for every rank, and compared.

Sources (``modules`` for Python, ``c_tree`` for C and C++) become one kind of tree, Python's own.
``evaluate`` runs it for one rank of a small job; what is not known stays a symbol, and a branch on
one keeps both arms.  ``flatten`` makes one row of operations for one answer to each such question,
``simulate`` plays the rows of all ranks against each other, and ``explore`` asks for which answers
that ends in ranks that wait for ever.
"""
