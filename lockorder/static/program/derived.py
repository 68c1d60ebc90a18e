"""What a program tells before any of its functions is walked.

Each part answers one question about the program as a whole, and knows nothing of walks.
"""

from __future__ import annotations

from lockorder.knowledge import Knowledge
from lockorder.static.program import constants, failing
from lockorder.static.program.absent import Absent
from lockorder.static.program.arguments import Arguments
from lockorder.static.program.backpointers import BackPointers
from lockorder.static.program.begun import Begun
from lockorder.static.program.callgraph import CallGraph
from lockorder.static.program.companions import Companions
from lockorder.static.program.contents import Contents
from lockorder.static.program.contracts import Contracts
from lockorder.static.program.escapes import Escapes
from lockorder.static.program.falls import Falls
from lockorder.static.program.fixed import Fixed
from lockorder.static.program.given import Given
from lockorder.static.program.held_classes import HeldClasses
from lockorder.static.program.identities import Identities
from lockorder.static.program.indexes import Indexes
from lockorder.static.program.kept import Kept
from lockorder.static.program.kinds import Kinds
from lockorder.static.program.lent import Keepers
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.link import Program
from lockorder.static.program.made import MadeClasses
from lockorder.static.program.opposites import Opposites
from lockorder.static.program.origins import Birthplaces
from lockorder.static.program.other_means import OtherMeans
from lockorder.static.program.pointed import Pointed
from lockorder.static.program.pointsto import PointsTo
from lockorder.static.program.polls import Polls
from lockorder.static.program.predicates import Predicates
from lockorder.static.program.required import Required
from lockorder.static.program.runners import Runners
from lockorder.static.program.sole import Sole
from lockorder.static.program.stored import Stored
from lockorder.static.program.tables import Tables
from lockorder.static.program.threads import Threads
from lockorder.static.program.unset import Unset
from lockorder.static.program.vacant import Vacant
from lockorder.static.program.wrappers import Wrappers
from lockorder.static.program.written import Written
from lockorder.static.program.younger import Younger


class Derived:
    """The program, and all that follows from its text."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self.program = program
        self.knowledge = knowledge
        self.wrappers = Wrappers(program, knowledge)
        #: methods that take or give up locks of the program's own: a template calls them by name
        self.lending = self.wrappers.methods()
        self.other_means = OtherMeans(program, knowledge, self.wrappers)
        self.points_to = PointsTo(program, knowledge, self.wrappers)
        self.identities = Identities(program, knowledge, self.points_to, self.wrappers)
        self.vacant = Vacant(program, knowledge)
        self.identities.vacant = self.vacant.all
        self.lifetimes = Lifetimes(program, knowledge, self.points_to, self.vacant.all)
        self.call_graph = CallGraph(program, self.points_to, self.lifetimes)
        self.written = Written(program, self.call_graph)
        self.constants = constants.find(program)
        self.identities.starts = {**self.vacant.starts(), **self.constants.globals}
        self.fixed = Fixed(program, self.written, self.constants.unchanged)
        self.identities.keeps_value = self.fixed.is_global
        self.failing = failing.find(program, knowledge)
        self.stored = Stored(program)
        self.keepers = Keepers(program)
        self.given = Given(program, self.points_to.taken)
        self.begun = Begun(program, self.given)
        self.identities.is_empty = self.begun.is_empty
        self.kinds = Kinds(program)
        self.required = Required(program, knowledge)
        self.threads = Threads(program)
        self.runners = Runners(program, knowledge)
        self.contracts = Contracts(program)
        self.tables = Tables(program)
        self.polls = Polls(program, knowledge)
        self.predicates = Predicates(program)
        self.own_ends = self.call_graph.own_ends
        self.back_pointers = BackPointers(
            program, self.identities, self.points_to, Opposites(program, self.lifetimes)
        )
        self.escapes = Escapes(program, knowledge, self.lifetimes)
        self.indexes = Indexes(program, self.points_to.taken)
        self.held_classes = HeldClasses(program, knowledge)
        self.pointed = Pointed(program)
        self.contents = Contents(program, self.held_classes)
        self.younger = Younger(program, knowledge, self.points_to)
        self.companions = Companions(program, knowledge, self.lifetimes, self.points_to)
        self.sole = Sole(program, knowledge, self.companions)
        self.kept = Kept(program, knowledge)
        self.birthplaces = Birthplaces(program, knowledge, self.points_to)
        self.absent = Absent(program, knowledge, self.call_graph)
        self.unset = Unset(program, knowledge, self.held_classes)
        self.falls = Falls(program)
        self.arguments = Arguments(program)
        self.made = MadeClasses(program, knowledge)
