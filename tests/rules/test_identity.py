"""Things that are one, things that are two, and whom `owner` stands for."""

from tests.laws.photograph import differences, photograph
from tests.rules.models import change, holds, model, statements, swrl

OWNERS_VIEW = (
    *swrl("sees", "owner sees ?x", "?x inView true"),
    *swrl("seen", "?x inView true", "owner sees ?x"),
    *statements("Mine owl:hasValue owner . Mine owl:onProperty belongsTo"),
)


def test_one_thing_under_two_names() -> None:
    """What is said of one name is said of the other, as subject, as predicate and as object."""
    reasoner = model(statements("A rdfs:subClassOf B . p rdfs:domain C"))
    change(reasoner, told=statements("x a A . x p y . z q x . p owl:sameAs r"))
    before = photograph(reasoner)
    change(reasoner, told=statements("w owl:sameAs x"))
    assert holds(reasoner, "x owl:sameAs w . w a A . w a B . w a C . w p y . w r y . z q w")
    change(reasoner, withdrawn=statements("w owl:sameAs x"))
    assert not differences(before, photograph(reasoner))


def test_three_names_and_one_link_less() -> None:
    """Of three names in a row the two that a withdrawn link parts are two again."""
    reasoner = model()
    change(reasoner, told=statements("x owl:sameAs y . y owl:sameAs z . x p v . z q v"))
    assert holds(reasoner, "z p v . x q v . z owl:sameAs x")
    change(reasoner, withdrawn=statements("y owl:sameAs z"))
    assert holds(reasoner, "y p v")
    assert not holds(reasoner, "z p v")
    assert not holds(reasoner, "x q v")
    assert not holds(reasoner, "z owl:sameAs x")


def test_a_list_of_things_with_two_names() -> None:
    """A list is read alike whether a member's second name is told before it, after or with it."""
    names = statements("x owl:sameAs y")
    colours = statements("Colour owl:oneOf (x z)")
    for parts in ((names, colours), (colours, names), (names + colours,), (colours + names,)):
        reasoner = model()
        for part in parts:
            change(reasoner, told=part)
        assert holds(reasoner, "x a Colour . y a Colour . z a Colour")
        change(reasoner, withdrawn=names)
        assert holds(reasoner, "x a Colour . z a Colour")
        assert not holds(reasoner, "y a Colour")


def test_a_list_of_classes_with_two_names() -> None:
    """A class with a second name counts in an intersection under either."""
    parts = "A owl:sameAs B", "C owl:intersectionOf (A D)"
    for told in (parts, parts[::-1]):
        reasoner = model(statements(" . ".join(told)))
        change(reasoner, told=statements("x a B . x a D"))
        assert holds(reasoner, "x a C")


def test_an_ontology_with_synonyms_in_a_list() -> None:
    """Members of an AllDifferent that are one contradict, in whichever order it is written."""
    different = statements("n a owl:AllDifferent . n owl:members (x y z)")
    same = statements("y owl:sameAs z")
    for told in (different + same, same + different):
        assert contradictions_of_ontology(told) == {"eq-diff2"}


def contradictions_of_ontology(told: tuple[tuple[str, str, str], ...]) -> set[str]:
    reasoner = model(told)
    return {fact[0] for fact in reasoner.known if fact[1] == "!clash"}


def test_the_owner_is_each_models_own() -> None:
    """Rules of the ontology about `owner` speak of the agent whose model it is, in each model."""
    robot, human = model(OWNERS_VIEW, "robot"), model(OWNERS_VIEW, "human")
    for reasoner in (robot, human):
        change(reasoner, told=statements("robot sees ball . human sees cup . book inView true"))
        change(reasoner, told=statements("x a Mine"))
    assert holds(robot, "ball inView true . robot sees book . x belongsTo robot")
    assert holds(human, "cup inView true . human sees book . x belongsTo human")
    assert not holds(robot, "cup inView true")
    assert not holds(human, "ball inView true")
    assert not any("owner" in fact for m in (robot, human) for fact in m.facts)


def test_the_owner_in_a_rule_told_at_run_time() -> None:
    """A rule about `owner` told in a model speaks of that model's agent until it is withdrawn."""
    reasoner = model()
    new = photograph(reasoner)
    told = (*OWNERS_VIEW, *statements("robot sees ball . x belongsTo robot"))
    change(reasoner, told=told)
    assert holds(reasoner, "ball inView true . x a Mine")
    change(reasoner, withdrawn=told)
    assert not differences(new, photograph(reasoner))


def test_the_owner_where_there_is_none() -> None:
    """In a model of nobody a rule about `owner` concludes nothing, and leaves nothing behind."""
    reasoner = model(owner=None)
    new = photograph(reasoner)
    change(reasoner, told=(*OWNERS_VIEW, *statements("x a Mine")))
    assert not [fact for fact in reasoner.facts if fact[1] == "belongsTo"]
    change(reasoner, withdrawn=(*OWNERS_VIEW, *statements("x a Mine")))
    assert not differences(new, photograph(reasoner))


def test_an_axiom_that_was_known_already() -> None:
    """An axiom that follows from the ontology, told and withdrawn, leaves nothing behind."""
    reasoner = model(statements("A rdfs:subClassOf B . B rdfs:subClassOf C"))
    new = photograph(reasoner)
    change(reasoner, told=statements("A rdfs:subClassOf C"))
    change(reasoner, withdrawn=statements("A rdfs:subClassOf C"))
    assert not differences(new, photograph(reasoner))


def test_what_lies_over_everything() -> None:
    """What holds of all things holds of each that has a class below owl:Thing."""
    axioms = "A rdfs:subClassOf owl:Thing . owl:Thing rdfs:subClassOf D"
    reasoner = model(statements(axioms + " . E owl:intersectionOf (owl:Thing A)"))
    change(reasoner, told=statements("x a A"))
    assert holds(reasoner, "x a D")
    assert holds(reasoner, "x a E")


def test_two_restrictions_that_say_the_same() -> None:
    """What is below a restriction is below another one with the same property and class."""
    for word in ("owl:someValuesFrom", "owl:allValuesFrom"):
        some = f"_:r owl:onProperty p . _:r {word} C . _:s owl:onProperty p . _:s {word} C"
        reasoner = model(statements(f"{some} . A rdfs:subClassOf _:r . B owl:equivalentClass _:s"))
        change(reasoner, told=statements("x a A"))
        assert holds(reasoner, "x a B")


def test_words_of_axioms_may_be_called_transitive() -> None:
    """That being a subclass is transitive is true, and changes nothing about what holds."""
    words = ("rdfs:subClassOf", "rdfs:subPropertyOf", "owl:equivalentClass")
    for word in words:
        reasoner = model()
        change(reasoner, told=statements(f"{word} a owl:TransitiveProperty"))
        before = photograph(reasoner)
        axioms = statements("D rdfs:subClassOf E . Bc rdfs:subClassOf D . E rdfs:subClassOf A")
        change(reasoner, told=axioms)
        change(reasoner, withdrawn=statements("D rdfs:subClassOf E"))
        change(reasoner, told=statements("x a Bc"))
        assert not holds(reasoner, "x a A")
        change(reasoner, withdrawn=(*axioms, *statements("x a Bc")))
        assert not differences(before, photograph(reasoner))
