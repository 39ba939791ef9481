"""What goes wrong when a map is drawn or grown."""


class SpaceError(ValueError):
    """A change that the map as it stands cannot take."""


class PlanError(SpaceError):
    """A drawing that makes no map."""
