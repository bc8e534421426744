// Who imports both Testing and UIKit is given a third module of this name by the compiler, which on
// Apple's platforms knows images. Here it must be there and has nothing to say.
