"""An environment exported by Tracemill. It speaks both APIs of verifiers: the one before 0.4 and v1."""

try:
    from verifiers import StatefulToolEnv as _legacy  # noqa: F401
except (ImportError, AttributeError):
    from .taskset import ExportedTaskset

    __all__ = ["ExportedTaskset"]
else:
    from .legacy import load_environment

    __all__ = ["load_environment"]
