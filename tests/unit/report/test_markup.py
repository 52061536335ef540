from __future__ import annotations

from leadline.report.page.markup import Markup, element, joined


def test_text_and_attributes_are_escaped() -> None:
    found = element("p", "<b>&", title='"x" <')
    assert found.html == '<p title="&quot;x&quot; &lt;">&lt;b&gt;&amp;</p>'


def test_elements_within_elements_are_not() -> None:
    assert element("p", element("b", "x"), " y").html == "<p><b>x</b> y</p>"
    assert joined(["<", Markup("<br>")]).html == "&lt;<br>"


def test_attributes_take_the_names_of_html() -> None:
    found = element("td", class_="a", data_value="1", hidden=True, open=False, title=None)
    assert found.html == '<td class="a" data-value="1" hidden>'


def test_parts_of_tables_are_ended_by_the_next() -> None:
    row = element("tr", element("td", "a"), element("td", "b"))
    assert element("table", element("tbody", row)).html == "<table><tbody><tr><td>a<td>b</table>"


def test_void_element_has_no_end() -> None:
    assert element("input", type="search").html == '<input type="search">'


def test_characters_that_steer_are_shown_by_their_numbers() -> None:
    assert element("p", "a\u202eb\u2028c\x1b").html == r"<p>a\u202eb\u2028c\x1b</p>"
