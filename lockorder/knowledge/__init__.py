"""What is known about locks and calls that no analysed source defines.

The facts themselves are the ``*.toml`` files beside this one, in the same form that users write in
their configuration; ``load`` reads and checks them, ``Knowledge`` answers questions by name.
"""

from lockorder.knowledge.load import Knowledge, KnowledgeError, builtin, extended, load
from lockorder.knowledge.schema import KnowledgeFile

__all__ = ["Knowledge", "KnowledgeError", "KnowledgeFile", "builtin", "extended", "load"]
