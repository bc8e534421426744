let folder = URL(filePath: "/")
