"""What goes wrong when a map is drawn."""


class PlanError(ValueError):
    """A drawing that makes no map."""
