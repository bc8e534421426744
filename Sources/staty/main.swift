// The tool as this package ships it; an app's own is as short.

import StatyCommand
import StatyGallery
import StatyReplay
import StatySpecimens

var registry = ControllerRegistry.withSpecimens
registry.registerGallery()
StatyTool(registry: registry).main()
