class Dayledger < Formula
  desc "@DESCRIPTION@"
  homepage "@REPOSITORY@"
  url "@SOURCE_URL@"
  sha256 "@SOURCE_SHA256@"
  license "@LICENSE@"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"@NAME@", "completions")
    system bin/"@NAME@", "manual", "man1"
    man1.install Dir["man1/*.1"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/@NAME@ --version")
    system bin/"@NAME@", "--demo", "day"
  end
end
