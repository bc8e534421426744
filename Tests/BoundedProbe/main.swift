import LibC

// Usage: BoundedProbe SECONDS OUTPUT PROGRAM ARGUMENT…
//
// Runs the program without input, for this many seconds of processor time at most, and writes its output to a
// file. Prints the exit status, the signal, the maximum memory in kilobytes, and the processor time in
// microseconds. This is a separate process because, until a program begins, the memory of the process that starts
// it counts as its own.

let seconds = rlim_t(CommandLine.arguments[1]) ?? 1
var words: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.dropFirst(3).map { strdup($0) }
words.append(nil)
#if canImport(Darwin)
  var actions: posix_spawn_file_actions_t?
#else
  var actions = posix_spawn_file_actions_t()
#endif
posix_spawn_file_actions_init(&actions)
posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
posix_spawn_file_actions_addopen(
  &actions, 1, CommandLine.arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
posix_spawn_file_actions_adddup2(&actions, 1, 2)
// The program inherits the limits. This process only waits.
var limit = rlimit(rlim_cur: seconds, rlim_max: seconds)
#if canImport(Glibc)
  setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
#else
  setrlimit(RLIMIT_CPU, &limit)
#endif
var process: pid_t = 0
guard posix_spawn(&process, words[0]!, &actions, nil, words, environ) == 0 else { exit(70) }
// In case the program waits forever.
let child = process
signal(SIGALRM) { _ in kill(child, SIGKILL) }
alarm(60)
var result: Int32 = 0
var usage = rusage()
while wait4(process, &result, 0, &usage) < 0, errno == EINTR {}
func microseconds(_ time: timeval) -> Int { Int(time.tv_sec) * 1_000_000 + Int(time.tv_usec) }
#if canImport(Darwin)
  let kilobytes = usage.ru_maxrss / 1024
#else
  let kilobytes = usage.ru_maxrss
#endif
print(
  (result >> 8) & 0xff, result & 0x7f, kilobytes,
  microseconds(usage.ru_utime) + microseconds(usage.ru_stime))
