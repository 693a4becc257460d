// What Apple's own UIKit adds in Swift to its Objective-C, as far as the sample uses it: declarations only.
@_exported import UIKit

extension UIApplicationDelegate {
    public static func main() {}
}

extension UIAction {
    public convenience init(title: String = "", image: UIImage? = nil, handler: @escaping (UIAction) -> Void) { fatalError() }
}
