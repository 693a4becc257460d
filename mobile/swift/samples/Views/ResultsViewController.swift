import RehearsalActions
import UIKit

/// A button for an action, and its results below. The app makes the registry when it starts, as in the sample for SwiftUI.
final class ResultsViewController: UIViewController {
    private let actions: ActionRegistry
    private let results = UITextView()
    private var showing: Task<Void, Never>?

    init(actions: ActionRegistry) {
        self.actions = actions
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
        let pressed = UIAction(title: "Say hello") { [weak self] _ in self?.greet("Ada") }
        stack.addArrangedSubview(UIButton(type: .system, primaryAction: pressed))
        stack.addArrangedSubview(results)
        view = stack
    }

    /// Shows the result of the last press only: the one before is canceled.
    private func greet(_ name: String) {
        showing?.cancel()
        showing = Task { @MainActor in
            do {
                let value = try await actions.perform("say-hello", ["name": .string(name)]).get()
                results.text += "\(value?.string ?? "")\n"
            } catch {
                results.text += "\(error.localizedDescription)\n"
            }
        }
    }
}
