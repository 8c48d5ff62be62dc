"""What a client is told of a refusal by a clause of the rule book."""

from cardsite.problems import Problem
from games.clauses import clause_text, rule_link
from games.rules.contract import Refused
from games.words import asked_language, explained


def clause_problem(code: str, slug: str, refused: Refused, **facts: object) -> Problem:
    """A problem of the registry with the clause that refuses, its words, and why, in the asked language."""
    why, language = explained(refused), asked_language()
    return Problem(
        code,
        f"{refused.code}: {why}.",
        clause=refused.code,
        clause_text=clause_text(slug, refused.code, language),
        why=why,
        facts=dict(refused.facts),
        rules=rule_link(slug, refused.code, language),
        **facts,
    )
