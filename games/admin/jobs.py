"""Background jobs in the admin: those that wait, are being done or have failed (what succeeds is not kept), and to
have one done again. What went wrong is in the server's log, by the job's number, and in no table."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from procrastinate.contrib.django.models import ProcrastinateEvent, ProcrastinateJob
from unfold.decorators import action, display

from cardsite.admin import PageAdmin, act_page, moment
from cardsite.filters import Choice
from cardsite.tables import table
from games.selectors.jobs import job_read, require_retryable
from games.services.jobs import job_retry

admin.site.unregister(ProcrastinateJob)
# Whose program does them is nobody's concern who looks at a list of them.
ProcrastinateJob._meta.verbose_name, ProcrastinateJob._meta.verbose_name_plural = "job", "jobs"

MOST_EVENTS = 50
STATUS_LABELS = {
    "todo": "info",
    "doing": "primary",
    "failed": "danger",
    "succeeded": "success",
    "cancelled": "warning",
    "aborted": "warning",
}
STATUS_WORDS = {"todo": "waits", "doing": "being done"}


class StatusFilter(Choice):
    """Jobs that wait, are being done, or have failed."""

    title, parameter_name = "status", "status"
    conditions: ClassVar = {
        status: (STATUS_WORDS.get(status, status).capitalize(), Q(status=status)) for status in STATUS_LABELS
    }


@admin.register(ProcrastinateJob)
class JobAdmin(PageAdmin):
    """Jobs, newest first."""

    list_display = ("number", "task", "state", "attempts", "due", "last")
    list_display_links = ("number", "task")
    list_filter = (StatusFilter,)
    filter_parameters = frozenset({"status"})
    fields = ("task", "state", "attempts", "due", "given", "queue_name", "queueing_lock", "worker_shown")
    actions_detail = ("retry",)
    change_form_outer_after_template = "games/admin/job.html"

    def get_readonly_fields(self, request: HttpRequest, obj: ProcrastinateJob | None = None) -> Sequence[str]:
        return self.fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProcrastinateJob]:
        return (
            super().get_queryset(request).select_related("worker").prefetch_related("procrastinateevent_set")
        )

    @display(description="Number")
    def number(self, job: ProcrastinateJob) -> int:
        return job.id

    @display(description="Task")
    def task(self, job: ProcrastinateJob) -> str:
        return str(job.task_name).rpartition(".")[2]

    @display(description="Status", label={STATUS_WORDS.get(k, k): v for k, v in STATUS_LABELS.items()})
    def state(self, job: ProcrastinateJob) -> str:
        return STATUS_WORDS.get(job.status, job.status)

    @display(description="Due (UTC)")
    def due(self, job: ProcrastinateJob) -> str:
        return moment(job.scheduled_at) or "at once"

    @display(description="Last (UTC)")
    def last(self, job: ProcrastinateJob) -> str:
        events = job.procrastinateevent_set.all()
        newest = max(events, key=lambda one: one.id, default=None)
        if newest is None:
            return "-"
        return format_html("<span>{} {}</span>", newest.type.replace("_", " "), moment(newest.at))

    @display(description="Given")
    def given(self, job: ProcrastinateJob) -> str:
        """What the job was given; of words only that there are some, since they may be anything."""
        shown = (
            f"{name}: {value if isinstance(value, int | float) else '…'}" for name, value in job.args.items()
        )
        return ", ".join(shown) or "nothing"

    @display(description="Worker")
    def worker_shown(self, job: ProcrastinateJob) -> str:
        if job.worker is None:
            return "-"
        return format_html("{}, last heard of {}", job.worker.id, moment(job.worker.last_heartbeat))

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        job = self.found(request, object_id)
        events = ProcrastinateEvent.objects.filter(job=job).order_by("-id")[:MOST_EVENTS]
        context = {
            **(extra_context or {}),
            "title": f"Job {job.id}: {self.task(job)}",
            "subtitle": None,
            # Its own words have what it was given; of words in its place no history is found.
            "original": f"Job {job.id}",
            "show_history": False,
            "trail": f"{reverse('admin:accounts_auditentry_changelist')}?{urlencode(self.audit_query(job))}"
            if request.user.has_perm("accounts.view_auditentry")
            else None,
            "job": job,
            "events_table": table(
                ("What happened", "At (UTC)"),
                ((one.type.replace("_", " "), moment(one.at)) for one in events),
            ),
        }
        return super().change_view(request, object_id, form_url, context)

    def audit_query(self, found: ProcrastinateJob) -> dict[str, str]:
        return {"act": "retry_job"}

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Only a job that has failed, or whose worker died at it, is tried again."""
        job = job_read(job_id=int(object_id))
        return super().get_actions_detail(request, object_id) if job is not None and job.is_stuck else []

    def has_retry_permission(self, request: HttpRequest, object_id: object = None) -> bool:
        return request.user.has_perm("games.retry_job")

    @action(description="Try again", permissions=["retry"], url_path="retry")
    def retry(self, request: HttpRequest, object_id: str) -> HttpResponse:
        job = self.found(request, object_id)

        def perform(given: dict[str, Any]) -> str:
            job_retry(job_id=job.id, by=request.user, reason=given["reason"])  # type: ignore[arg-type]
            return "The job is tried again."

        return act_page(
            self,
            request,
            title=f"Try job {job.id} again: {self.task(job)}",
            explanation="A worker takes it up at once. Only a job that has failed, or whose worker died at it, "
            "can be tried again.",
            verb="Try it again",
            perform=perform,
            require=lambda: require_retryable(job_read(job_id=job.id)),
            back=reverse("admin:procrastinate_procrastinatejob_change", args=(job.id,)),
        )
