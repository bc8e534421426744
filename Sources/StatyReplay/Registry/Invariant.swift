import Staty

/// When a condition has to hold.
package enum ConditionMoment {
  /// After each thing that happens.
  case always
  /// Whenever nothing is under way.
  case atRest
  /// When nothing more happens.
  case atEnd
}

/// A condition that an app gives for a model, and when it has to hold.
struct Invariant {
  let name: String
  let moment: ConditionMoment
  let holds: () -> Bool
}

extension ReplaySubject {
  /// A copy with a condition that holds after each thing that happens.
  ///
  /// A search stops where it does not hold, a smaller recording keeps that, and a replay or a
  /// written test reports it like a broken rule: `invariant`.
  ///
  /// ```swift
  /// context.subject(of: model.track) { (message: CartMessage) in model.send(message) }
  ///   .always("the total is that of the lines") { model.total == model.lines.map(\.price).sum }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the condition in words.
  ///   - holds: whether it holds; it must not change anything.
  public func always(_ name: String, _ holds: @escaping () -> Bool) -> ReplaySubject {
    adding(name, .always, holds)
  }

  /// A copy with a condition that holds whenever nothing is under way: no answer, no report of a
  /// state, no deferred step.
  ///
  /// The parameters are those of ``always(_:_:)``.
  public func atRest(_ name: String, _ holds: @escaping () -> Bool) -> ReplaySubject {
    adding(name, .atRest, holds)
  }

  /// A copy with a condition that holds when nothing more happens.
  ///
  /// The parameters are those of ``always(_:_:)``.
  public func atEnd(_ name: String, _ holds: @escaping () -> Bool) -> ReplaySubject {
    adding(name, .atEnd, holds)
  }

  private func adding(
    _ name: String, _ moment: ConditionMoment, _ holds: @escaping () -> Bool
  ) -> ReplaySubject {
    var subject = self
    subject.invariants.append(
      Invariant(name: name, moment: moment) { [context] in context.ownCode.call(holds) })
    return subject
  }
}
