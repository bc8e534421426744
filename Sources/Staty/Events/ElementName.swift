import CStaty
import Synchronization

extension StateName {
  /// Creates the name of an element of a path: of a structure the name of the only enumeration in
  /// it, as of `Route` in `struct Route { let id: UUID; let screen: Screen }`.
  ///
  /// Everything else is named as by ``init(ofCase:)``.
  init<Element>(ofElement element: Element) {
    let type = Element.self as Any.Type
    guard staty_type_is_structure(unsafeBitCast(type, to: UnsafeRawPointer.self)),
      !(element is any NamedState), let part = NamingParts.part(of: type)
    else {
      self.init(ofCase: element)
      return
    }
    self = withUnsafePointer(to: element) { part.name(in: UnsafeRawPointer($0)) }
  }
}

/// A stored property that names the structure that it is in.
private struct NamingPart: Sendable {
  let type: Any.Type
  let offset: Int

  func name(in structure: UnsafeRawPointer) -> StateName {
    func name<Value>(_ type: Value.Type) -> StateName {
      StateName(ofCase: (structure + offset).assumingMemoryBound(to: type).pointee)
    }
    return _openExistential(type, do: name)
  }
}

/// The properties that name structures, by their types.
private enum NamingParts {
  private static let known = Mutex<[ObjectIdentifier: NamingPart?]>([:])

  static func part(of type: Any.Type) -> NamingPart? {
    known.withLock { known in
      if let part = known[ObjectIdentifier(type)] { return part }
      let part = find(in: type)
      known[ObjectIdentifier(type)] = .some(part)
      return part
    }
  }

  private static func find(in type: Any.Type) -> NamingPart? {
    var parts: [NamingPart] = []
    for index in 0..<countOfFields(type) {
      var field = FieldMetadata()
      let its = typeOfField(type, index: index, metadata: &field)
      field.free?(field.name)
      func isEnumeration<Value>(_ type: Value.Type) -> Bool { StateName.isEnumeration(type) }
      if _openExistential(its, do: isEnumeration) {
        parts.append(NamingPart(type: its, offset: offsetOfField(type, index: index)))
      }
    }
    // Which of several says what is shown is not known.
    return parts.count == 1 ? parts[0] : nil
  }
}

// What the runtime knows of the stored properties of a type.

/// What the runtime says of a stored property besides its type.
private struct FieldMetadata {
  var name: UnsafePointer<CChar>?
  var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVar = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func countOfFields(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func typeOfField(
  _ type: Any.Type, index: Int, metadata: UnsafeMutablePointer<FieldMetadata>
) -> Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func offsetOfField(_ type: Any.Type, index: Int) -> Int
