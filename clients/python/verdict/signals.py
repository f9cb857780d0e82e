"""Written by npm run docs:signals."""

from __future__ import annotations

from typing import Dict, List, Literal, Optional, TypedDict


class MailServers(TypedDict):
    operator: str
    hosts: List[str]


class IpOrigin(TypedDict):
    kind: Optional[Literal["relay", "tor", "vpn", "hosting"]]
    country: Optional[str]
    asn: Optional[int]
    organisation: Optional[str]


class Signals(TypedDict, total=False):
    """Empty when the fallback stands in."""

    # The email uses a known disposable domain.
    disposable_email: bool
    # The domain has MX records; false if none were found.
    mx_valid: bool
    # The email uses a free consumer provider.
    free_provider: bool
    # What follows comes only with expand=["signals"].
    # The mailbox name is a role such as info or support.
    role_account: bool
    # No-reply mailbox.
    no_reply: bool
    # The domain forwards mail to a hidden address.
    relay: bool
    # The address is a telephone number at a gateway for text messages.
    sms_gateway: bool
    # The mail servers could not be checked.
    mx_unknown: bool
    # The mailbox name carries a +tag.
    plus_tag: bool
    # The provider delivers other spellings of this address to the same mailbox.
    alias: bool
    # The address that was probably meant, when the domain looks mistyped.
    suggestion: Optional[str]
    # The one mailbox behind all spellings of this address, for a unique column.
    mailbox: str
    # Spellings of the mailbox; mailboxes of domain, shape, IP. 16: or more; null: not counted.
    seen: Dict[Literal["mailbox", "domain", "shape", "ip"], Optional[int]]
    # Servers that take the mail of the domain; null where none were looked up.
    mx: Optional[MailServers]
    # Network and origin of the IP sent.
    ip: IpOrigin
