// The tool as this package ships it; an app's own is as short.

import StatyCommand

StatyTool().main()
