"""Checks the package for Apple's platforms: `apple.py SCRATCH [MODULE...]`. See `.ci/apple`."""

import functools
import hashlib
import inspect
import json
import os
import pathlib
import plistlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

DOUBLES = ["Darwin", "ObjectiveC", "Dispatch", "Foundation", "SwiftUI", "XCTest"]
# The toolchain brings these as text.
INTERFACES = ["Swift", "_Concurrency", "Synchronization", "Observation", "_StringProcessing",
              "_RegexParser", "_Builtin_float", "SwiftOnoneSupport", "Testing"]
# The tool and what only it needs start other programs; apps do not link it.
FOR_MACS = {"StatyCommand", "staty"}
# What starts a process. iOS has the functions, and refuses the call.
STARTS_PROCESS = re.compile(
    r"^_(fork|vfork|posix_spawnp?|execv[pPe]*|execl[pe]*|popen|system|daemon|forkpty)$"
    r"|^_OBJC_CLASS_\$_NSTask$|^_\$s10Foundation7ProcessC")
# Apple's list of APIs whose use an app must give a reason for.
NEEDS_REASON = {
    "FileTimestamp": r"_(l|f)?stat|_fstatat|_getattrlist(at|bulk)?|_fgetattrlist",
    "SystemBootTime": r"_mach_absolute_time|_mach_continuous_time|.*systemUptime.*",
    "DiskSpace": r"_f?statv?fs",
    "UserDefaults": r".*UserDefaults.*",
}
# Source that compiles there and is wrong: a pattern, what makes it right, and what to do.
SLIPS = [
    (r"\bfsync\(", r"F_FULLFSYNC", "fsync leaves it in the disk's cache: F_FULLFSYNC"),
    (r"\bCLOCK_MONOTONIC\b", None, "it counts microseconds: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)"),
    (r"\bSEEK_(DATA|HOLE)\b", None, "it told of holes where data is: read the whole file"),
]
# Mistakes that each run plants: what, the module and the system it is found in, a file, what is in it then,
# what is said.
MISTAKES = [
    ("a call that only Glibc has", "StatyHistory", "ios", "Sources/StatyHistory/Mistake.swift",
     "import LibC\nlet mistake = CLOCK_BOOTTIME\n", "cannot find 'CLOCK_BOOTTIME'"),
    ("a flag that only Linux has, in C", "CStatyRing", "ios", "Sources/CStatyRing/mistake.c",
     "#include <fcntl.h>\nint mistake(void) { return O_PATH; }\n", "undeclared identifier 'O_PATH'"),
    ("a newer API, in C", "CStatyRing", "ios", "Sources/CStatyRing/mistake.c",
     "#include <string.h>\nchar *mistake(char *text) { return strchrnul(text, 1); }\n", "only available on iOS 18.4"),
    ("a child process by a call", "StatyRecorder", "ios", "Sources/StatyRecorder/Mistake.swift",
     "import LibC\nfunc mistake() -> Int32 { var id: pid_t = 0; return posix_spawn(&id, \"/bin/ls\", nil, nil, nil, nil) }\n",
     "StatyRecorder: error: starts a process.*_posix_spawn"),
    ("pkg-config in builds for iOS", "CStaty", "ios", "Package.swift",
     lambda text: text.replace("pkgConfig: sqlitePackage", 'pkgConfig: "sqlite3"'), "pkgConfig of CSQLite warns"),
    ("a file that is not on the disk", "CStaty", "ios", "Sources/StatyHistory/Mistake.swift",
     "import LibC\nfunc mistake() { fsync(0) }\n", "F_FULLFSYNC"),
    ("a clock of microseconds", "CStaty", "ios", "Sources/StatyRecorder/Mistake.swift",
     "import LibC\nlet mistake = CLOCK_MONOTONIC\n", "microseconds"),
    ("holes in a file", "CStaty", "ios", "Sources/StatyHistory/Mistake.swift",
     "import LibC\nlet mistake = SEEK_DATA\n", "holes"),
]
# Mistakes that only `--whole` plants: each has to compile a large module again.
MORE_MISTAKES = [
    ("a newer API", "Staty", "macos", "Sources/Staty/Mistake.swift",
     "func mistake() { Task.immediate {} }\n", "only available in macOS 26"),
    ("a child process", "StatyRecorder", "ios", "Sources/StatyRecorder/Mistake.swift",
     "import Foundation\nlet mistake = Process()\n", "'Process' is unavailable in iOS"),
    ("a file of Linux's", "StatyRecorder", "ios", "Sources/StatyRecorder/Mistake.swift",
     "import LibC\nfunc mistake() -> Int32 { open(\"/proc/self/status\", O_RDONLY) }\n", "reads /proc"),
    ("a module without a privacy manifest", "StatyRules", "ios", "Package.swift",
     lambda text: re.sub(r'(name: "StatyHistory",(?:.|\n)*?)exclude: privacyManifest.exclude, resources: '
                         r'privacyManifest.resources,', r"\1", text),
     "StatyRules: error: .*no privacy manifest with a reason for FileTimestamp"),
    ("a struct that is a pointer there", "BoundedProbe", "macos", "Tests/BoundedProbe/Mistake.swift",
     "import LibC\nfunc mistake() { var one = posix_spawn_file_actions_t(); _ = posix_spawn_file_actions_init(&one) }\n",
     r"Mistake.swift.*error"),
    ("writing to a pipe that may be closed", "StatyRules", "macos", "Sources/StatyRules/Mistake.swift",
     "import Foundation\nfunc mistake() { FileHandle.standardError.write(Data()) }\n", "raises when the pipe is closed"),
    ("what SwiftUI does not have", "Staty", "ios", "Sources/Staty/Mistake.swift",
     "#if canImport(SwiftUI)\nimport SwiftUI\n@MainActor func mistake(_ view: some View) { view.mistake() }\n#endif\n",
     "has no member 'mistake'"),
    ("what UIKit does not have", "StatyUIKit", "ios", "Sources/StatyUIKit/Mistake.swift",
     "import UIKit\n@MainActor func mistake(_ view: UIView) { view.mistake() }\n", "has no member 'mistake'"),
]
UNSEEN = """\
Not seen: anything at run time; the real UIKit, XCTest and SwiftUI; signatures and isolation of the
real Foundation and Dispatch where the doubles in Tests/Apple differ from them; API notes."""


def run(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, **options)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def digest(*parts):
    total = hashlib.sha256()
    for part in parts:
        total.update(part if isinstance(part, bytes) else str(part).encode())
        total.update(b"\0")
    return total.hexdigest()


def write_if_other(path, text):
    """Compiled modules are made anew when a file is newer than they are."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Platform:
    def __init__(self, name, version, scratch):
        self.name, self.version = name, version
        folder, self.canonical = {"macos": ("MacOSX", "macosx"), "ios": ("iPhoneOS", "iphoneos")}[name]
        self.triple = f"arm64-apple-{'macosx' if name == 'macos' else name}{version}"
        self.interface = f"arm64-apple-{name}.swiftinterface"
        self.sdk = scratch / f"{folder}{version}.sdk"
        self.title = {"macos": "macOS", "ios": "iOS"}[name]


class Toolchain:
    """The compilers, and the folder of an SDK for each platform that is made of the toolchain's own
    interfaces, Darwin's C headers and the doubles."""

    def __init__(self, root, scratch):
        self.doubles = root / "Tests/Apple"
        self.folder = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
        self.headers = scratch / "headers"
        tools = digest(run(["swiftc", "--version"])[1], (self.headers / "version").read_text(),
                       pathlib.Path("/usr/include/sqlite3.h").read_bytes())
        # Other tools make another SDK. Of other doubles only those that differ are compiled again.
        self.scratch = scratch / f"sdk-{tools[:12]}"
        self.cache = self.scratch / "modules"
        self.mark = self.scratch / "compiled"
        doubles = [self.doubles / "Darwin.modulemap", *sorted(self.doubles.glob("*.swiftinterface"))]
        self.stamp = digest(tools, inspect.getsource(Toolchain), *(path.read_bytes() for path in doubles))
        self.is_new = not self.mark.exists() or self.mark.read_text() != self.stamp
        for other in scratch.glob("sdk-*"):
            if other != self.scratch:
                shutil.rmtree(other)

    def make_sdk(self, platform):
        sdk = platform.sdk
        include = sdk / "usr/include"
        if not self.is_new:
            return
        if not self.mark.exists():
            shutil.rmtree(sdk, ignore_errors=True)
            (sdk / "System/Library/Frameworks").mkdir(parents=True)
            shutil.copytree(self.headers, include)
            shutil.copytree(self.folder / "lib/swift/shims", sdk / "usr/lib/swift/shims")
            shutil.copy("/usr/include/sqlite3.h", include)
        write_if_other(sdk / "SDKSettings.json", json.dumps({
            "Version": platform.version, "CanonicalName": platform.canonical + platform.version,
            "MaximumDeploymentTarget": platform.version + ".99",
            "DefaultDeploymentTarget": platform.version, "DisplayName": "double"}))
        for module in INTERFACES:
            folder = self.folder / f"lib/swift/linux/{module}.swiftmodule"
            self.write_interface(platform, module, next(folder.glob("*.swiftinterface")).read_text())
        for module in DOUBLES:
            self.write_interface(platform, module, (self.doubles / f"{module}.swiftinterface").read_text())
        write_if_other(include / "module.modulemap", (self.doubles / "Darwin.modulemap").read_text())
        # As Apple's API notes say.
        objects = include / "objc/NSObject.h"
        write_if_other(objects, re.sub(r"^- \(instancetype\)init\b", "- (nonnull instancetype)init",
                                  objects.read_text(), flags=re.M))

    def write_interface(self, platform, module, text):
        for pattern, replacement in [
            (r"^(// swift-module-flags:.*) -target \S+", rf"\1 -target {platform.triple}"),
            (r"^(public )?import Glibc$", r"\1import Darwin"),
            (r" -target-min-inlining-version min| -library-level api", ""),
            # What functions do in themselves is not needed here, and takes a minute and a half to compile.
            (r"^(// swift-module-flags: .*) -O ", r"\1 -Onone -experimental-skip-all-function-bodies "),
            # Their older copies call what is not in the interface.
            (r"^ *@backDeployed\(.*\n", ""),
            # Linux's own: a thread's number, and arithmetic with 80 bits.
            (r"_swift_stdlib_gettid\(\)", "UInt32(0)"),
            (r"^.*self = _stdlib_(remainder|squareRoot)l\(.*\n", ""),
        ]:
            text = re.sub(pattern, replacement, text, flags=re.M)
        if module == "Swift":
            text += (self.doubles / "Swift.extra.swiftinterface").read_text()
        write_if_other(platform.sdk / f"usr/lib/swift/{module}.swiftmodule" / platform.interface, text)

    def compile_interfaces(self, platforms):
        """Compiles them into the cache, one platform beside the other. Compilers that do it at the same time
        wait for each other for minutes."""
        if not self.is_new:
            return
        source = self.scratch / "interfaces.swift"
        source.write_text("".join(f"import {name}\n" for name in [*INTERFACES[1:], *DOUBLES]))
        began = [(platform, subprocess.Popen(
            ["swiftc", "-typecheck", *map(str, self.flags(platform)), source],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)) for platform in platforms]
        for platform, process in began:
            said = process.communicate()[0].decode(errors="replace")
            if process.returncode:
                raise SystemExit(f"apple: the interfaces for {platform.title}: {said}")
        self.mark.write_text(self.stamp)

    def flags(self, platform):
        return ["-sdk", platform.sdk, "-target", platform.triple, "-module-cache-path", self.cache,
                "-I", platform.sdk / "usr/lib/swift/shims", "-swift-version", "6"]


class Target:
    def __init__(self, root, said):
        self.name, self.type = said["name"], said["type"]
        self.module = self.name.replace("-", "_")
        parent = "Tests" if self.type == "test" else "Sources"
        self.folder = root / said.get("path", f"{parent}/{self.name}")
        self.dependencies = [next(iter(one.values()))[0] for one in said["dependencies"]]
        excluded = [self.folder / path for path in said["exclude"]]
        files = sorted(path for path in self.folder.rglob("*") if path.is_file()
                       and not any(path.is_relative_to(other) for other in excluded))
        self.swift = [path for path in files if path.suffix == ".swift"]
        self.c = [path for path in files if path.suffix == ".c"]
        self.headers = [path for path in files if path.suffix in (".h", ".modulemap")]
        self.features = [one["kind"]["enableUpcomingFeature"]["_0"] for one in said["settings"]
                         if "enableUpcomingFeature" in one["kind"]]
        self.modes = [one["kind"]["swiftLanguageMode"]["_0"] for one in said["settings"]
                      if "swiftLanguageMode" in one["kind"]]
        self.copied = [one["path"] for one in said["resources"] if "copy" in one["rule"]]
        self.package = said.get("pkgConfig")


class Package:
    """The targets as the manifest declares them on a Mac, and those on UIKit's double."""

    def __init__(self, root, scratch):
        self.root = root
        manifest = (root / "Package.swift").read_text()
        # SwiftPM evaluates a manifest only for the system that it runs on.
        swapped = re.sub(r"\bos\((macOS|Linux)\)", lambda found: "os(" + {
            "macOS": "Linux", "Linux": "macOS"}[found[1]] + ")", manifest)
        mac = self.read(swapped, scratch)
        double = self.read(manifest, scratch, STATY_UIKIT_DOUBLE="1")
        self.mac = {said["name"]: Target(root, said) for said in mac["targets"]}
        self.double = {said["name"]: Target(root, said) for said in double["targets"]}
        self.versions = {one["platformName"]: one["version"] for one in mac["platforms"]}
        self.libraries = {name for product in mac["products"] if "library" in product["type"]
                          for name in product["targets"]}

    @staticmethod
    @functools.cache
    def read(text, scratch, **environment):
        """What SwiftPM makes of a manifest."""
        command = ["swift", "package", "--scratch-path", str(scratch / "manifest"), "dump-package"]
        with tempfile.TemporaryDirectory() as place:
            (pathlib.Path(place) / "Package.swift").write_text(text)
            done = subprocess.run(command, cwd=place, env=os.environ | environment, capture_output=True)
        if done.returncode:
            raise SystemExit("apple: the manifest: " + done.stderr.decode())
        return json.loads(done.stdout)

    def targets(self, platform):
        """Those of a platform by name, each behind those that it depends on."""
        found = self.mac
        if platform.name == "ios":
            # With a UIKit, as every app for iOS.
            on_uikit = {name for name in self.double
                        if "UIKit" in self.closure(name, self.double) or name == "_Testing_UIKit"}
            found = found | {name: self.double[name] for name in on_uikit}
            # No app can start those that the tests start.
            programs = {name for name, one in found.items() if one.type == "executable"}
            found = {name: one for name, one in found.items()
                     if one.type != "test" or not programs & self.closure(name, found)}
        return found

    def closure(self, name, targets):
        """A target and all that it depends on."""
        seen, waiting = set(), [name]
        while waiting:
            name = waiting.pop()
            if name not in seen and name in targets:
                seen.add(name)
                waiting += targets[name].dependencies
        return seen

    def linked_by_apps(self):
        return {name for library in self.libraries - FOR_MACS for name in self.closure(library, self.mac)}


class Check:
    """One target for one platform. Of one that is `brief` only the declarations are checked."""

    def __init__(self, toolchain, package, platform, target, targets, out, brief):
        self.toolchain, self.package, self.platform, self.brief = toolchain, package, platform, brief
        self.target, self.targets, self.out = target, targets, out / platform.name
        self.module = self.out / f"{target.module}.swiftmodule"
        self.object = self.out / f"{target.module}.o"
        self.mark = self.out / f"{target.module}.checked"
        self.is_linked = platform.name == "ios" and target.name in package.linked_by_apps()
        self.title = f"{platform.title} {target.name}"
        self.problems, self.seconds = [], 0
        self.closure = sorted(package.closure(target.name, targets))

    def fingerprint(self):
        parts = [self.toolchain.stamp, inspect.getsource(Check), self.platform.triple, self.brief]
        for name in self.closure:
            one = self.targets[name]
            parts += [name, one.type, one.features, one.modes]
            for path in one.swift + one.c + one.headers:
                parts += [path.relative_to(self.package.root), path.read_bytes()]
        return digest(*parts)

    def run(self):
        began, fingerprint = time.time(), self.fingerprint()
        if self.mark.exists() and self.mark.read_text() == fingerprint:
            return
        self.out.mkdir(parents=True, exist_ok=True)
        # What fails to compile takes away what an earlier run has made.
        self.mark.unlink(missing_ok=True)
        for path in self.target.c:
            self.compile_c(path)
        if self.target.swift:
            self.compile_swift()
        if not self.problems:
            self.mark.write_text(fingerprint)
        self.seconds = time.time() - began

    def c_flags(self):
        """Where the headers of C targets are, and how Swift finds them."""
        include, maps = [], []
        for name in self.closure:
            one = self.targets[name]
            if one.type == "system":
                maps.append(one.folder / "module.modulemap")
            elif one.headers:
                include.append(one.folder / "include")
                umbrella = one.folder / f"include/{one.module}.h"
                path = self.out / f"{one.module}.modulemap"
                text = f'module {one.module} {{ umbrella header "{umbrella}" export * }}\n'
                # Written once: another may be reading it.
                if not path.exists() or path.read_text() != text:
                    path.write_text(text)
                maps.append(path)
        return [f"-I{path}" for path in include], [f"-fmodule-map-file={path}" for path in maps]

    def compile_c(self, path):
        include, _ = self.c_flags()
        code, text = run(["clang", "-target", self.platform.triple, "-isysroot", self.platform.sdk, "-fblocks",
                          "-Wall", "-Wextra", "-Werror", "-Wunguarded-availability", *include,
                          "-c", path, "-o", self.out / f"{self.target.module}.{path.stem}.o"])
        self.note(code, text)

    def compile_swift(self):
        target = self.target
        include, maps = self.c_flags()
        flags = [
            *self.toolchain.flags(self.platform), "-I", self.out,
            "-plugin-path", self.toolchain.folder / "lib/swift/host/plugins/testing",
            "-package-name", "staty", "-module-name", target.module,
            "-wmo", "-Onone", "-enable-testing", "-DSWIFT_PACKAGE", "-DDEBUG",
        ]
        for feature in target.features:
            flags += ["-enable-upcoming-feature", feature]
        for mode in target.modes:  # instead of the one before
            flags += ["-swift-version", mode]
        for flag in include + maps:
            flags += ["-Xcc", flag]
        # Only who depends on UIKit's double sees it.
        if "UIKit" in self.closure and target.name != "UIKit":
            flags += ["-I", self.out / "uikit"]
        if target.name == "UIKit":
            self.module = self.out / "uikit/UIKit.swiftmodule"
            self.module.parent.mkdir(exist_ok=True)
        files = target.swift
        if not any(path.name == "main.swift" for path in files):
            flags.append("-parse-as-library")
        if self.brief:
            flags += ["-Xfrontend", "-experimental-skip-all-function-bodies"]
        if target.type == "test":
            flags.append("-typecheck")
        elif self.is_linked:
            flags += ["-c", "-o", self.object, "-emit-module", "-emit-module-path", self.module]
        else:
            flags += ["-emit-module", "-emit-module-path", self.module]
        self.note(*run(["swiftc", *flags, *files]))

    def note(self, code, text):
        found = re.findall(r"^[^\s:][^\n:]*:\d+:\d+: (?:error|warning): [^\n]*|^(?:<unknown>:0: )?error: [^\n]*",
                           text, re.M)
        found = [line for line in dict.fromkeys(found) if not line.startswith(str(self.platform.sdk))]
        if code and not found:
            found = [text.strip() or f"exited with {code}"]
        self.problems += [line.replace(f"{self.package.root}/", "") for line in found]

    def objects(self):
        return [self.object] * bool(self.target.swift) + [
            self.out / f"{self.target.module}.{path.stem}.o" for path in self.target.c]

    def symbols(self):
        """What it uses of other modules and of the system."""
        return set(run(["llvm-nm", "--undefined-only", "--just-symbol-name", *self.objects()])[1].split())


class Products:
    """What apps for iOS link: it may not start processes or read /proc, and gives reasons where Apple asks."""

    def __init__(self, package, checks):
        self.package = package
        self.checks = {check.target.name: check for check in checks if check.is_linked}

    def problems(self):
        for name, check in sorted(self.checks.items()):
            for symbol in sorted(check.symbols()):
                if STARTS_PROCESS.search(symbol):
                    yield f"iOS {name}: error: starts a process, which iOS refuses: {symbol}"
            if any(b"/proc/" in path.read_bytes() for path in check.objects()):
                yield f"iOS {name}: error: reads /proc, which only Linux has"
        for library in sorted(self.package.libraries - FOR_MACS):
            closure = self.package.closure(library, self.package.mac)
            used = {symbol for name in closure & self.checks.keys() for symbol in self.checks[name].symbols()}
            for category in sorted(NEEDS_REASON.keys() - self.reasons(closure)):
                found = sorted(symbol for symbol in used if re.fullmatch(NEEDS_REASON[category], symbol))
                if found:
                    yield (f"{library}: error: {', '.join(found)}: an app that links only this has no privacy "
                           f"manifest with a reason for {category}")

    def reasons(self, closure):
        """The categories that the privacy manifests of these targets have a reason for."""
        found = set()
        for target in map(self.package.mac.get, closure):
            for path in target.copied:
                if path.endswith(".xcprivacy"):
                    said = plistlib.loads((target.folder / path).read_bytes())
                    found |= {entry["NSPrivacyAccessedAPIType"].removeprefix("NSPrivacyAccessedAPICategory")
                              for entry in said["NSPrivacyAccessedAPITypes"]}
        return found


def run_all(checks, workers):
    """Runs each check behind those that it depends on; those behind a failed one are left out."""
    condition = threading.Condition()
    waiting, done, failed, left_out = list(checks), set(), set(), []

    def key(check, name):
        return check.platform.name, name

    known = {key(check, check.target.name) for check in checks}

    def next_check():
        for check in list(waiting):
            needs = {key(check, name) for name in check.target.dependencies} & known
            if needs & failed:
                waiting.remove(check)
                failed.add(key(check, check.target.name))
                left_out.append(check)
            elif needs <= done:
                waiting.remove(check)
                return check
        return None

    def work():
        while True:
            with condition:
                while (check := next_check()) is None:
                    if not waiting:
                        condition.notify_all()
                        return
                    condition.wait()
            try:
                check.run()
            except Exception as error:
                check.problems.append(f"error: {error!r}")
            with condition:
                (failed if check.problems else done).add(key(check, check.target.name))
                condition.notify_all()

    threads = [threading.Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return left_out


class Checker:
    """What is checked of a package, with what was compiled for it before."""

    def __init__(self, root, scratch, whole):
        self.root, self.out, self.whole = root, scratch / "out", whole
        self.toolchain = Toolchain(root, scratch)
        self.package = Package(root, scratch)
        self.platforms = [Platform(name, self.package.versions[name], self.toolchain.scratch)
                          for name in ["macos", "ios"]]
        for platform in self.platforms:
            self.toolchain.make_sdk(platform)
        self.toolchain.compile_interfaces(self.platforms)

    def checks(self, names=()):
        """One for each target and platform, or for these targets and what they depend on.

        What iOS checks is checked for macOS only as far as others need it there, unless all is to be checked.
        """
        found = []
        on_ios = set() if self.whole else self.package.targets(self.platforms[1]).keys()
        for platform in self.platforms:
            targets = self.package.targets(platform)
            wanted = set().union(*(self.package.closure(name, targets) for name in names)) if names else targets
            # The larger ones first, so that none is left for the end.
            order = sorted(wanted, key=lambda name: -sum(path.stat().st_size for path in targets[name].swift))
            twice = on_ios if platform.name == "macos" else set()
            found += [Check(self.toolchain, self.package, platform, targets[name], targets, self.out, name in twice)
                      for name in order if targets[name].type != "system"
                      and not (name in twice and targets[name].type == "test")]
        return found

    def problems(self, checks):
        left_out = run_all(checks, os.cpu_count() or 1)
        problems = [f"{check.title}: {problem}" for check in checks for problem in check.problems]
        problems += [f"{check.title}: not checked, as what it depends on has errors" for check in left_out]
        if not problems:
            problems += Products(self.package, checks).problems()
        return problems + list(self.slips())

    def slips(self):
        """What compiles and is wrong there."""
        for target in self.package.mac.values():
            if target.package:
                yield f"Package.swift: error: pkgConfig of {target.name} warns in builds for iOS"
            for path in target.swift + target.c + target.headers if target.name in self.package.linked_by_apps() else []:
                # What comments say of it does no harm.
                text = re.sub(r"//.*", "", path.read_text())
                for pattern, unless, advice in SLIPS:
                    if re.search(pattern, text) and not (unless and re.search(unless, text)):
                        yield f"{path.relative_to(self.root)}: error: {advice}"


def planted(root, scratch, mistakes, whole):
    """Plants each mistake in a copy of the package; says which of them are not found."""
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        shutil.copy(root / "Package.swift", place)
        for name in ["Sources", "Migrations", "Tests"]:
            shutil.copytree(root / name, place / name)
        for title, name, system, path, text, said in mistakes:
            file = place / path
            before = file.read_text() if file.exists() else None
            file.write_text(text(before) if callable(text) else text)
            checker = Checker(place, scratch, whole)
            checks = [check for check in checker.checks([name]) if check.platform.name == system]
            # What reading finds is not compiled, too.
            problems = list(checker.slips())
            if not any(re.search(said, problem) for problem in problems):
                problems = checker.problems(checks)
            if not any(re.search(said, problem) for problem in problems):
                yield f"{title}: not found, but {problems}"
            if before is None:
                file.unlink()
            else:
                file.write_text(before)


def main():
    root, scratch = pathlib.Path.cwd().resolve(), pathlib.Path(sys.argv[1]).resolve()
    names = [name for name in sys.argv[2:] if name != "--whole"]
    whole = "--whole" in sys.argv
    mistakes = MISTAKES + (MORE_MISTAKES if whole else [])
    began = time.time()
    checker = Checker(root, scratch, whole)
    checks = checker.checks(names)
    problems = checker.problems(checks)
    for problem in problems:
        print(problem)
    for platform in checker.platforms:
        mine = [check for check in checks if check.platform == platform]
        tests = sum(check.target.type == "test" for check in mine)
        objects = sum(check.is_linked for check in mine)
        failed = sum(bool(check.problems) for check in mine)
        brief = sum(check.brief for check in mine)
        print(f"apple: {platform.triple}: {len(mine)} modules, {tests} of them tests, {objects} compiled as apps link"
              f" them, of {brief} the declarations alone, {failed} with errors")
    if problems:
        print(f"apple: {len(problems)} problems")
        sys.exit(1)
    if not names:
        missed = list(planted(root, scratch, mistakes, whole))
        for line in missed:
            print(f"apple: a planted mistake: {line}")
        print(f"apple: {len(mistakes)} planted mistakes, {len(missed)} not found; {time.time() - began:.0f} s")
        if missed:
            sys.exit(1)
    print(UNSEEN)


if __name__ == "__main__":
    main()
