"""All paths."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

urlpatterns = [
    path("", RedirectView.as_view(url="/api/v1/docs")),
    path("admin/", admin.site.urls),
    path("api/login/", auth_views.LoginView.as_view(template_name="rest_framework/login.html"), name="login"),
    path("api/logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("api/v1/", include("accounts.api.urls")),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/schema", SpectacularAPIView.as_view(), name="schema"),
    path("api/v1/docs", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
]
handler404 = "cardsite.problems.handler404"
handler500 = "cardsite.problems.handler500"
