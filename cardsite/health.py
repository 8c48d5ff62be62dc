"""Whether the server lives, and whether it can serve."""

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardsite.problems import problem_response


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while this process answers; it looks at nothing else."""
    return JsonResponse({"status": "live"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 where the database answers and has every migration, else 503."""
    try:
        executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return problem_response("unavailable", "The database does not answer.")
    if missing:
        return problem_response("unavailable", f"{len(missing)} migrations are not applied.")
    return JsonResponse({"status": "ready"})
