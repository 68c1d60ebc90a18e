"""A result as one HTML file that needs nothing else: no network, no fonts, no other file.

What is said of findings is in the page itself and reads without a script, too.  The lock-order
graph is data in the page (``graph``), laid out here (``layout``) and drawn by its own script.
"""

from lockorder.report.html.page import render

__all__ = ["render"]
