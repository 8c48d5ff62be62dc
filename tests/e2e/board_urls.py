"""The site, and on `/board/<game>/` a page that holds nothing but a replay board, under a strict policy."""

from django.http import HttpResponse
from django.urls import path
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from cardsite.urls import urlpatterns as of_the_site

POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'"
PAGE = """<!doctype html>
<html lang="{lang}"{theme}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Board</title>

<script type="module" src="/static/games/board/board.js"></script>
<main>
<h1>Board</h1>
<game-board replay="{api}replay" game="{api}" events="{api}events" linked></game-board>
</main>
"""


def board(request, game):
    theme = request.GET.get("theme")
    body = format_html(
        PAGE,
        lang=request.GET.get("lang", "en"),
        theme=format_html(' data-theme="{}"', theme) if theme else mark_safe(""),
        api=f"/api/v1/games/{game}/",
    )
    return HttpResponse(body, headers={"Content-Security-Policy": POLICY})


urlpatterns = [path("board/<uuid:game>/", board), *of_the_site]
