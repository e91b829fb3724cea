"""All that a reasoner holds, as a value: two of them can be compared, and one kept."""

from kb_server.core.reasoner import Reasoner
from kb_server.core.firing import _Entry, _Heads

def photograph(r: Reasoner):
    t = r.rules
    def entry(e): return (frozenset(i.key for i in e.linear), frozenset((i.key, n) for i, n in e.joins))
    def heads(h):
        return ({k: frozenset(i.key for i in v) for k, v in h.by_class.items()}, {k: frozenset(i.key for i in v) for k, v in h.as_subject.items()},
                {k: frozenset(i.key for i in v) for k, v in h.as_object.items()}, frozenset(i.key for i in h.others))
    def sup(s): return (s[0], s[1].key if s[1] else None, s[2], s[3])
    return dict(
        told=set(r.told), facts={f: sup(s) for f, s in r.facts.items()},
        by_s={s: {p: set(o) for p, o in ps.items()} for s, ps in r.index.by_subject.items()},
        by_o={s: {p: set(o) for p, o in ps.items()} for s, ps in r.index.by_object.items()},
        clashes=set(r.clashes), deferred=set(r.deferred),
        instances={k: i.level for k, i in t.instances.items()},
        of_axiom={a: frozenset(i.key for i in v) for a, v in r._of_axiom.items()},
        triggers={k: entry(e) for k, e in t._triggers.items()},
        triggers_to={k: {o: entry(e) for o, e in v.items()} for k, v in t._triggers_to.items()},
        wild=entry(t._wild),
        heads={k: heads(e) for k, e in t._heads.items()},
        heads_to={k: {o: heads(e) for o, e in v.items()} for k, v in t._heads_to.items()},
    )
