package io.github.rehearsalsdk.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A class or test that has a {@link Scope} of its own for each test, and the {@link Server}, as parameters. What a test says wins over what its
 * class says, and that over what the class around it says.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RehearsalExtension.class)
public @interface Rehearsed {
    /** The instant at which the clock of the scope stands still, such as 2026-03-15T12:00:00Z. */
    String now() default "";

    /** A scenario for every request, such as "outcome=error". */
    String scenario() default "";

    /** Codes of lints that the test provokes, added to those of the class. */
    String[] allow() default {};

    /** Which lints fail the test, {@link Lints#ERRORS} if none is named. */
    Lints[] lints() default {};
}
