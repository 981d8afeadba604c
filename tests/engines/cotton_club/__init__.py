"""Tests of 1923 Cotton Club."""
