"""The project's paths, and two that do nothing: for anybody, and behind a token."""

from django.urls import path
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardsite.urls import handler400, handler404, handler500, urlpatterns

__all__ = ["handler400", "handler404", "handler500", "urlpatterns"]


class Nothing(APIView):
    """A request that DRF carries through, and no more."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def get(self, request: Request) -> Response:
        return Response({})

    def post(self, request: Request) -> Response:
        return Response({})


class NothingForPlayers(APIView):
    """The same with authentication by token."""

    def get(self, request: Request) -> Response:
        return Response({})


urlpatterns = [
    *urlpatterns,
    path("bench/nothing", Nothing.as_view()),
    path("bench/nothing-for-players", NothingForPlayers.as_view()),
]
