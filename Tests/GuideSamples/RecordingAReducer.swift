@testable import Basket
