"""One alignment from two, made in both directions."""

from collections.abc import Callable

Link = tuple[int, int]
"""(source word, target word), from 0."""

NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def symmetrise(forward: set[Link], backward: set[Link], how: str) -> set[Link]:
    """Join links of source→target with those of target→source, the latter turned round.

    Args:
        forward: From the model that reads the source.
        backward: From the model that reads the target; each link (source word, target word) as well.
        how: One of ``SYMMETRISATIONS``.
    """
    return SYMMETRISATIONS[how](forward, backward)


def grow_diag_final_and(forward: set[Link], backward: set[Link]) -> set[Link]:
    """Begin with what both have, add what one has beside it, then what links two words that have no link yet.

    References:
        Koehn et al. 2005, "Edinburgh system description for the 2005 IWSLT evaluation"; Och & Ney 2003.
    """
    links, union = forward & backward, forward | backward
    sources, targets = {s for s, _ in links}, {t for _, t in links}

    def add(link: Link) -> None:
        links.add(link)
        sources.add(link[0])
        targets.add(link[1])

    grown = True
    while grown:
        grown = False
        for source, target in sorted(links):
            for down, right in NEIGHBOURS:
                new = (source + down, target + right)
                if new in union and new not in links and (new[0] not in sources or new[1] not in targets):
                    add(new)
                    grown = True
    for direction in (forward, backward):
        for new in sorted(direction):
            if new not in links and new[0] not in sources and new[1] not in targets:
                add(new)
    return links


SYMMETRISATIONS: dict[str, Callable[[set[Link], set[Link]], set[Link]]] = {
    "intersection": lambda forward, backward: forward & backward,
    "union": lambda forward, backward: forward | backward,
    "grow-diag-final-and": grow_diag_final_and,
}
