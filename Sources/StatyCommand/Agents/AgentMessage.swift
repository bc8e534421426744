/// A message of an agent's client: JSON-RPC 2.0, as the Model Context Protocol uses it.
enum AgentMessage {
  /// A request, which is answered once.
  case request(id: JSONValue, method: String, params: JSONValue)
  /// Anything that must not be answered: a notification, or an answer to a question that this
  /// server never asks.
  case remark

  /// Why a message is not answered with a result.
  struct Refusal: Error {
    /// The codes that JSON-RPC defines.
    enum Code: Int64 {
      case noJSON = -32700
      case noRequest = -32600
      case noMethod = -32601
      case wrongParams = -32602
    }

    let code: Code
    let sentence: String
    /// The identifier in a message that is no request.
    let id: JSONValue?

    init(_ code: Code, _ sentence: String, id: JSONValue? = nil) {
      (self.code, self.sentence, self.id) = (code, sentence, id)
    }
  }

  /// The JSON in a line: a message, or a list of several.
  static func json(_ line: some Sequence<UInt8>) throws(Refusal) -> JSONValue {
    do throws(JSONReader.Problem) {
      return try JSONReader.value(line)
    } catch {
      throw Refusal(.noJSON, "The line is no JSON: \(error.sentence). Send one object a line.")
    }
  }

  init(_ value: JSONValue) throws(Refusal) {
    guard case .object = value else { throw Refusal(.noRequest, "A request is an object.") }
    let id = value["id"]
    let isKnown =
      switch id {
      case .text, .integer, nil: true
      default: false
      }
    guard isKnown else { throw Refusal(.noRequest, "The 'id' has to be a text or a whole number.") }
    guard value["jsonrpc"] == .text("2.0") else {
      throw Refusal(.noRequest, "'jsonrpc' has to be \"2.0\".", id: id)
    }
    guard case .text(let method) = value["method"] else {
      guard value["result"] != nil || value["error"] != nil else {
        throw Refusal(.noRequest, "A request needs a 'method'.", id: id)
      }
      self = .remark
      return
    }
    self = id.map { .request(id: $0, method: method, params: value["params"] ?? .null) } ?? .remark
  }
}

extension JSONValue {
  /// The value of a key; none if this is no object, or has no such key.
  subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }
}
