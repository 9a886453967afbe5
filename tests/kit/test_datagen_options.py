"""Options are checked in one place, with errors that say what is allowed."""

import pytest

import datagen


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "berlin"}, "Option profile is 'berlin'. It has to be city or classic."),
        ({"seed": 1.5}, "Option seed is 1.5. It has to be a whole number."),
        ({"rides": -1}, "Option rides is -1. It has to be a whole number from 0."),
        ({"truth": 1}, "Option truth is 1. It has to be true or false."),
        ({"disorder": -1}, "Option disorder is -1. It has to be a number from 0 to 86400."),
        ({"late": 1.1}, "Option late is 1.1. It has to be a number from 0 to 1."),
        (
            {"late_by": float("nan")},
            "Option late_by is nan. It has to be a number from 0 to 86400.",
        ),
        ({"duplicates": 0.6}, "Option duplicates is 0.6. It has to be a number from 0 to 0.5."),
        ({"hot_key": "many"}, "Option hot_key is 'many'. It has to be a number from 0 to 1."),
        (
            {"late": 0.1, "late_by": 60, "disorder": 60},
            "Option late_by is 60. It has to be more than disorder, 60 seconds.",
        ),
    ],
)
def test_a_value_out_of_range_is_refused(options, message):
    """The error says what was found and what is allowed."""
    with pytest.raises(datagen.OptionError) as error:
        datagen.ride_events(0, 1, **options)
    assert str(error.value) == message


def test_an_unknown_option_is_refused():
    """The error names the option and all there are."""
    with pytest.raises(ValueError, match=r"No option 'duplicate' .* There are: profile, seed, .*"):
        datagen.fares(0, 1, duplicate=0.1)


@pytest.mark.parametrize(("start", "stop"), [(-1, 5), (5, 4)])
def test_a_range_that_goes_backwards_is_refused(start, stop):
    """A range needs 0 <= start <= stop."""
    with pytest.raises(datagen.OptionError, match=f"No events {start} to {stop}"):
        datagen.ride_events(start, stop)


@pytest.mark.parametrize("make", [datagen.iter_ride_events, datagen.iter_fares])
@pytest.mark.parametrize("rows", [0, 3_000_000])
def test_batches_have_a_size_that_fits_memory(make, rows):
    """A batch holds at least one row and at most two million."""
    with pytest.raises(datagen.OptionError, match=f"batch_rows is {rows}. It .* 1 to 2097152"):
        next(make(0, 10, batch_rows=rows))


def test_options_can_be_strings():
    """Strings, as Spark and a shell have them, give the options that keywords give."""
    strings = {"profile": "classic", "seed": "7", "rides": "10", "truth": "True", "late": "0.1"}
    assert datagen.parse_options(strings) == datagen.make_options(
        profile="classic", seed=7, rides=10, truth=True, late=0.1
    )


@pytest.mark.parametrize("strings", [{"rides": "1e3"}, {"truth": "yes"}, {"late": "some"}])
def test_a_string_that_does_not_parse_is_refused(strings):
    """The error shows the string as it was given."""
    (name, text), *_ = strings.items()
    with pytest.raises(datagen.OptionError, match=f"Option {name} is '{text}'"):
        datagen.parse_options(strings)
