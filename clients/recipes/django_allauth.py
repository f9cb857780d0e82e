"""django-allauth: ACCOUNT_ADAPTER and SOCIALACCOUNT_ADAPTER.

clean_email runs in the sign-up form and where somebody adds an address, before a row or a mail. A social sign-up that needs no
form does not run it, so the social adapter decides in is_open_for_signup, and allauth shows its page "Sign Up Closed".
"""

from __future__ import annotations

import logging

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.core.exceptions import ValidationError
from verdict import Verdict

# Reads VERDICT_API_KEY and VERDICT_URL.
verdict = Verdict(fallback="allow")
log = logging.getLogger(__name__)


def is_refused(email: str, request=None) -> bool:
    # The address of your own proxy's peer; the first entry of X-Forwarded-For is what the visitor wrote.
    ip = request.META.get("REMOTE_ADDR") if request is not None else None
    check = verdict.check(email, ip=ip)
    if check.fallback is not None:
        log.warning("Verdict could not be asked: %s", check.fallback.code)
    return check.decision == "block"


class VerdictAccountAdapter(DefaultAccountAdapter):
    def clean_email(self, email: str) -> str:
        email = super().clean_email(email)
        if is_refused(email, self.request):
            raise ValidationError("This address cannot be used to sign up. Please use another one.")
        return email


class VerdictSocialAccountAdapter(DefaultSocialAccountAdapter):
    def is_open_for_signup(self, request, sociallogin) -> bool:
        email = sociallogin.user.email
        if email and is_refused(email, request):
            return False
        return super().is_open_for_signup(request, sociallogin)
