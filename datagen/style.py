"""How all pictures of the course look: their colours, their sizes, and how one is finished."""

from dataclasses import dataclass

from matplotlib.axes import Axes

# Marks stand out from white and from PAPER at 3 to 1; PALE and FAINT only lie behind others.
INK, GREY, PALE, PAPER, FAINT = "#1d2433", "#6b7587", "#c9d2e3", "#f4f6f9", "#e6e8ee"
BLUE, ORANGE, GREEN, PURPLE, GOLD = "#2f6bd0", "#e0632c", "#2e9e6b", "#8a4fc7", "#a87400"
# Quieter ones, for what stands close together.
STEEL, LEAF, PLUM, BRICK, AMBER = "#3b6ea5", "#2a7f62", "#7a5195", "#c0392b", "#b06c00"
# For what is told apart by its colour alone, one beside the other: matplotlib's ten.
MANY = [f"C{number}" for number in range(10)]


@dataclass(frozen=True)
class Letters:
    """How large is what stands around a picture."""

    title: float
    scale: float
    legend: float

    @property
    def for_legend(self) -> dict:
        """What to make a legend with."""
        return {"frameon": False, "fontsize": self.legend}


SMALL = Letters(title=11, scale=8, legend=8)
MEDIUM = Letters(title=11, scale=9, legend=8.5)
LARGE = Letters(title=12, scale=10, legend=10)
# And what stands inside: a word at a point, a remark.
LABEL, NOTE = 8, 9


def entitle(axes: Axes, title: str, letters: Letters = SMALL) -> None:
    """Give a picture its title."""
    axes.set_title(title, loc="left", color=INK, fontsize=letters.title)


def finish(axes: Axes, title: str = "", letters: Letters = SMALL, *, bare: bool = False) -> None:
    """Give a picture its title, and take away what only frames it; a bare one has no side."""
    entitle(axes, title, letters)
    axes.spines[["top", "right", *(["left"] if bare else [])]].set_visible(False)
    axes.tick_params(labelsize=letters.scale)
    if bare:
        axes.tick_params(axis="y", length=0)
