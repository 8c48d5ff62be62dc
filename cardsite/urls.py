"""All paths."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerSplitView

from cardsite.admin_search import search
from cardsite.health import healthz, readyz
from cardsite.index import IndexView, ProblemsView
from cardsite.pages import PreferencesView, favicon, nowhere
from cardsite.schema import SchemaView

admin.site.site_header = admin.site.site_title = "Cardsite"

urlpatterns = [
    path("", include("games.pages.urls")),
    path("", include("accounts.pages.urls")),
    path("preferences", PreferencesView.as_view(), name="preferences"),
    path("favicon.ico", favicon),
    path("healthz", healthz),
    path("readyz", readyz),
    # One page takes the old password, and counts how often it is tried.
    path("admin/password_change/", RedirectView.as_view(pattern_name="password-change")),
    path("admin/search/", search),
    # Where Django's admin leads to what something of any type and key is about: nothing of ours leads there.
    path("admin/r/<path:rest>", admin.site.admin_view(nowhere)),
    path("admin/", admin.site.urls),
    path("api/", include("rest_framework.urls")),
    path("api/v1/", IndexView.as_view()),
    path("api/v1/problems", ProblemsView.as_view()),
    path("api/v1/", include("accounts.api.urls")),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/schema", SchemaView.as_view(), name="schema"),
    path(
        "api/v1/docs",
        SpectacularSwaggerSplitView.as_view(url_name="schema", metadata_class=None),
        name="docs",
    ),
]
handler400 = "cardsite.problems.handler400"
handler404 = "cardsite.problems.handler404"
handler500 = "cardsite.problems.handler500"
