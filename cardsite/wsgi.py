"""The Django application; also for a server of one's own choice, then without the event streams."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardsite.settings")

application = get_wsgi_application()
