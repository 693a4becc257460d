import Dispatch
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What has come of a request: a status, or the code of an error of URLSession and what it says.
struct Answer {
    var status = 0, code = 0
    var body = "", why = ""
}

/// A request that a thread waits for. With a reader the answer is read line by line, until the reader says that it is enough.
final class Exchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let reader: ((String) -> Bool)?
    // Of the delegate's queue, and of who waits once that is done.
    private var answer = Answer(), bytes: [UInt8] = []
    private var session: URLSession?

    init(_ address: String, limit: TimeInterval, body: String? = nil, token: String? = nil, reader: ((String) -> Bool)? = nil) {
        self.reader = reader
        super.init()
        guard let url = URL(string: address), url.host != nil else {
            answer.code = -1000
            done.signal()
            return
        }
        var request = URLRequest(url: url)
        request.timeoutInterval = limit // of silence
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        if let token { request.setValue("Bearer " + token, forHTTPHeaderField: "Authorization") }
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        self.session = session
        session.dataTask(with: request).resume()
    }

    func wait() -> Answer {
        done.wait()
        session?.finishTasksAndInvalidate()
        return answer
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        answer.status = (dataTask.response as? HTTPURLResponse)?.statusCode ?? 0
        bytes.append(contentsOf: data)
        guard let reader, answer.status == 200 else { return }
        while let end = bytes.firstIndex(of: 10) {
            let line = String(decoding: bytes[..<end], as: UTF8.self)
            bytes.removeSubrange(...end)
            if !reader(line.hasSuffix("\r") ? String(line.dropLast()) : line) {
                dataTask.cancel()
                return
            }
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
        answer.status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
        if let error {
            answer.code = (error as NSError).code
            answer.why = "\(error)" // with its user information, where the system says what it forbids
        }
        answer.body = String(decoding: bytes, as: UTF8.self)
        done.signal()
    }
}
