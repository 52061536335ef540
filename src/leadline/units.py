"""Units: SI inside (seconds, bytes), formatted once, here. MB = 10^6 bytes, MiB = 2^20."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from leadline.errors import UsageError

_BINARY = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40, "p": 2**50, "e": 2**60}
_DECIMAL = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "p": 10**15, "e": 10**18}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgtpe]?)(i?b?)", re.IGNORECASE)
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ns|us|ms|s|min|m|h)?", re.IGNORECASE)
_RATE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)bit(?:/s)?", re.IGNORECASE)
MOST_BYTES, MOST_SECONDS, MOST_BITS_PER_S = 2**50, 365 * 86400, 10**18
_SIZE_UNITS = (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))
_DECIMAL_UNITS = (("TB", 10**12), ("GB", 10**9), ("MB", 10**6))
MOST_OF_A_UNIT = 10_240
_RATE_UNITS = (("TB/s", 1e12), ("GB/s", 1e9), ("MB/s", 1e6), ("kB/s", 1e3))
_COMPACT = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}


def parse_size(text: str) -> int:
    """Bytes in "8", "64k", "64KiB" (2^10 each) or "1MB" (10^3: only a plain "B" is decimal)."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"size {text!r} is not a number of bytes; write 8, 64KiB or 1MB")
    number, prefix, suffix = match.groups()
    scale = _DECIMAL if prefix and suffix.lower() == "b" else _BINARY
    value = float(number) * scale[prefix.lower()]
    if value > MOST_BYTES:
        raise UsageError(f"size {text[:20]!r} is more than any message; give at most 1 PiB")
    if value != int(value):
        raise UsageError(f"size {text!r} is {value:g} bytes; give a whole number")
    return int(value)


def parse_duration(text: str) -> float:
    """Seconds in "60s", "5min", "250ms" or a bare number of seconds; must be positive."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"duration {text!r} is not a time; write 60s, 5min or 250ms")
    seconds = float(match[1]) * _SECONDS[(match[2] or "s").lower()]
    if not 0 < seconds < MOST_SECONDS:
        raise UsageError(f"duration {text[:20]!r} must be more than zero and less than a year")
    return seconds


def parse_bit_rate(text: str) -> float:
    """Bytes a second in "10Mbit", "2.5Gbit" or "100Gbit/s": bits a second, 10^3 each step."""
    match = _RATE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"rate {text!r} is not a number of bits a second; write 10Mbit or 2.5Gbit")
    bits_per_s = float(match[1]) * _DECIMAL[match[2].lower()]
    if not 0 < bits_per_s < MOST_BITS_PER_S:
        raise UsageError(f"rate {text[:20]!r} must be more than zero and less than 10^6 Tbit")
    return bits_per_s / 8


def parse_share(text: str) -> float:
    """The fraction in "2%" or "0.02"; must lie strictly between 0 and 1."""
    body = text.strip()
    try:
        value = float(body[:-1]) / 100 if body.endswith("%") else float(body)
    except ValueError:
        raise UsageError(f"share {text!r} is not a number; write 2% or 0.02") from None
    if not 0 < value < 1:
        meant = f"; write {body}%" if 1 <= value < 100 and not body.endswith("%") else ""
        raise UsageError(f"share {text!r} must lie between 0 and 100 %, both excluded{meant}")
    return value


def significant(value: float, digits: int = 3) -> str:
    """`value` with `digits` significant digits and no exponent below 10^6."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    exponent = int(f"{value:.{digits - 1}e}".partition("e")[2])  # once rounded: 0.9996 is 1.00
    return f"{value:,.{max(0, digits - 1 - exponent)}f}"


def format_time(seconds: float) -> str:
    """E.g. "0.41 us", "1.30 ms": at least microseconds, three significant digits."""
    for unit, scale in (("us", 1e-6), ("ms", 1e-3), ("s", 1.0)):
        if abs(seconds) < 999.5 * scale or unit == "s":
            return f"{significant(seconds / scale)} {unit}"
    raise AssertionError("unreachable")


def compact_time(nanoseconds: int) -> str:
    """Exactly, as one word that `parse_duration` reads: "20us", "1.5ms"."""
    unit, scale = [pair for pair in _COMPACT.items() if pair[1] <= max(nanoseconds, 1)][-1]
    return f"{nanoseconds / scale:.15g}{unit}"


def format_size(size_bytes: int) -> str:
    """E.g. "8 B", "64 KiB", "1.5 MiB": exactly, in the largest unit that it has quarters of.

    One of over 10,240 of them is given in a decimal unit where it has quarters of that: not
    97,656.25 KiB but "100 MB".
    """
    number, unit = _in_quarters(size_bytes, _SIZE_UNITS) or (size_bytes, "B")
    if number >= MOST_OF_A_UNIT and unit != "B":
        number, unit = _in_quarters(size_bytes, _DECIMAL_UNITS) or (number, unit)
    return f"{number:,} B" if unit == "B" else f"{_quarters(number)} {unit}"


def _in_quarters(size_bytes: int, units: Sequence[tuple[str, int]]) -> tuple[float, str] | None:
    """In the largest of `units` that it has quarters of; None: it has of none."""
    for unit, scale in units:
        if size_bytes >= scale and size_bytes % (scale // 4) == 0:
            return size_bytes / scale, unit
    return None


def _quarters(number: float) -> str:
    return f"{number:,.2f}".rstrip("0").rstrip(".")


def format_rough_size(size_bytes: float) -> str:
    """Of a size that was estimated, two digits or three: "12 B", "4.7 KiB", "6.0 KiB", "190 KiB".

    One that has quarters of a KiB was measured, as bounds may be, and reads as such: "8 KiB".
    """
    if size_bytes % 2**8 == 0:
        return format_size(int(size_bytes))
    for unit, scale in _SIZE_UNITS:
        if size_bytes >= scale * (1 - 0.5 / 1024):  # once rounded: 1023.7 KiB is 1 MiB
            return f"{significant(size_bytes / scale, 2)} {unit}"
    return f"{size_bytes:,.0f} B"


def rate_unit(bytes_per_second: float) -> tuple[str, float]:
    """The unit that a rate is given in, and its bytes a second; 999.5 MB/s is 1.00 GB/s."""
    fits = (unit for unit in _RATE_UNITS if abs(bytes_per_second) >= 0.9995 * unit[1])
    return next(fits, _RATE_UNITS[-1])


def format_bandwidth(bytes_per_second: float) -> str:
    """E.g. "6.10 GB/s" (10^9 bytes), "512 MB/s", "2.65 TB/s"."""
    unit, scale = rate_unit(bytes_per_second)
    return f"{significant(bytes_per_second / scale)} {unit}"


def format_bit_rate(bytes_per_second: float) -> str:
    """E.g. "10 Mbit/s", as it was given: 10^3 each step, trailing zeros left out."""
    bits = bytes_per_second * 8
    for unit, scale in (("Tbit/s", 1e12), ("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3)):
        if bits >= scale:
            return f"{bits / scale:.4g} {unit}"
    return f"{bits:.4g} bit/s"


def format_rate(messages_per_second: float) -> str:
    """E.g. "3.36 M/s" (10^6 messages)."""
    unit, scale = ("M/s", 1e6) if messages_per_second >= 999.5e3 else ("k/s", 1e3)
    return f"{significant(messages_per_second / scale)} {unit}"
