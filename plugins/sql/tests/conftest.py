"""The folder of tables and the session of the tests of sessions."""

from tests.sql import conftest

folder, session = conftest.folder, conftest.session
