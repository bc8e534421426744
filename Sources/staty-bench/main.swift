for f in CoreBench.run() { print(f.key, f.value) }
