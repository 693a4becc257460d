/**
 * Tests of clients of the export service with JUnit 5 and 6: {@link io.github.rehearsalsdk.testing.Rehearsed} gives each test a scope of a
 * server.
 */
package io.github.rehearsalsdk.testing;
