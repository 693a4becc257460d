package io.github.rehearsalsdk.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Makes a scope for a test that has one as a parameter, and judges its client when the test ends. It has no state of its own. */
public final class RehearsalExtension implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(RehearsalExtension.class);
    private static final int REPORTED = 40;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Scope.class || type == Server.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (parameter.getParameter().getType() == Server.class) {
            return Server.shared();
        }
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException("a Scope belongs to one test: take it as a parameter of the test or of @BeforeEach");
        }
        return context.getStore(NAMESPACE).getOrComputeIfAbsent(Scope.class, ignored -> begin(settings(context)), Scope.class);
    }

    private static Scope begin(List<Rehearsed> settings) {
        Scope scope = Server.shared().scope();
        first(settings, each -> each.now().isEmpty() ? null : each.now()).ifPresent(scope::freeze);
        first(settings, each -> each.scenario().isEmpty() ? null : each.scenario()).ifPresent(scope::scenario);
        settings.forEach(each -> scope.allow(each.allow()));
        return scope;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Scope scope = context.getStore(NAMESPACE).get(Scope.class, Scope.class);
        if (scope == null) {
            return;
        }
        try {
            if (context.getExecutionException().isPresent()) { // its client is somewhere on its way
                publish(context, "rehearsal: requests", last(scope.journal()));
                return;
            }
            Lints judged = first(settings(context), each -> each.lints().length == 0 ? null : each.lints()[0]).orElse(Lints.ERRORS);
            switch (judged) {
                case ERRORS -> scope.check();
                case WARNINGS -> scope.checkWarnings();
                case LOG -> publish(context, "rehearsal: lints", scope.lints());
                case IGNORE -> { }
            }
        } finally {
            scope.reset();
        }
    }

    private static <T> List<T> last(List<T> all) {
        return all.subList(Math.max(0, all.size() - REPORTED), all.size());
    }

    private static void publish(ExtensionContext context, String name, List<?> lines) {
        if (!lines.isEmpty()) {
            context.publishReportEntry(name, lines.stream().map(Object::toString).collect(Collectors.joining("\n")));
        }
    }

    /** settings are what a test, its class and the classes around that say, in this order. */
    private static List<Rehearsed> settings(ExtensionContext context) {
        List<Rehearsed> found = new ArrayList<>();
        for (Optional<ExtensionContext> at = Optional.of(context); at.isPresent(); at = at.get().getParent()) {
            at.get().getElement().flatMap(element -> AnnotationSupport.findAnnotation(element, Rehearsed.class)).ifPresent(found::add);
        }
        return found;
    }

    private static <T> Optional<T> first(List<Rehearsed> settings, java.util.function.Function<Rehearsed, T> value) {
        return settings.stream().map(value).filter(each -> each != null).findFirst();
    }
}
