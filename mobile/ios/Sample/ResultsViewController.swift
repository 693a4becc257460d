import Rehearsal
import UIKit

/// A button for each of a few actions, and their results below.
final class ResultsViewController: UIViewController {
    private static let examples = [
        ("Say hello", "say-hello", #"{"name": "Ada"}"#),
        ("Say hello to nobody", "say-hello", "{}"),
        ("Copy", "service.clipboard", #"{"t": "copied by an action"}"#),
        ("Open a page", "service.deeplink", #"{"l": "https://example.com", "li": true}"#),
        ("Ask for notifications, or open their settings", "service.smart_reoptin", "{}"),
        ("Two at once", "service.group", #"{"actions": [["say-hello", {"name": "Bob"}], ["service.user.event", {"e": "greeted"}]]}"#),
        ("Rate the app", "service.rating", "{}"),
    ]

    private let registry: RHActionsRegistry
    private let results = UITextView()

    init(registry: RHActionsRegistry) {
        self.registry = registry
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        fatalError("this screen is made in code")
    }

    override func loadView() {
        let stack = UIStackView()
        stack.axis = .vertical
        stack.isLayoutMarginsRelativeArrangement = true // clear of the notch and the bars
        stack.backgroundColor = .systemBackground
        for (title, identifier, arguments) in Self.examples {
            let pressed = UIAction(title: title) { [weak self] _ in
                self?.perform(identifier, arguments)
            }
            stack.addArrangedSubview(UIButton(type: .system, primaryAction: pressed))
        }
        stack.addArrangedSubview(results)
        view = stack
    }

    /// Performs in the background, as actions may take their time, and shows the result on the main thread.
    private func perform(_ identifier: String, _ arguments: String) {
        let listener = ResultListener { [weak self] result in
            let line = "\(identifier): \(result.json(nil))\n"
            OperationQueue.main.addOperation { self?.results.text += line }
        }
        _ = registry.performAsync(identifier, arguments: RHActionsArgumentsFromJSON(arguments, nil), listener: listener)
    }
}

/// Makes a listener of a closure.
final class ResultListener: NSObject, RHActionsListenerProtocol {
    private let told: (RHActionsResult) -> Void

    init(_ told: @escaping (RHActionsResult) -> Void) {
        self.told = told
    }

    func onDone(_ result: RHActionsResult?) throws {
        if let result = result {
            told(result)
        }
    }
}
