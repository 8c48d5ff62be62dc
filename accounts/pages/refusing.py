"""How the pages of Django's own forms say what is wrong."""

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.views.generic.edit import FormView

from accounts.pages.forms import Refusable
from cardsite.problems import retry_after

if TYPE_CHECKING:
    OfForms = FormView[Refusable]
else:
    OfForms = FormView


class Refusing(OfForms):
    """A form that is not taken is shown again, with the status of what refused it."""

    def form_invalid(self, form: Any) -> HttpResponse:
        """What is wrong, by the form."""
        refusal = form.refusal
        return self.render_to_response(
            self.get_context_data(form=form),
            status=refusal.status if refusal else 422,
            headers=retry_after(refusal) if refusal else {},
        )
