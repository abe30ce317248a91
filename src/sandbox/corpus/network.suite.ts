// Ways to reach the network.
import type { Attempt, Case } from "./case.suite.ts";
import { allFailWith, rawCalls, says, silent } from "./judges.suite.ts";

const connectAll = (addresses: string) => `
import socket
for family, kind, address in ${addresses}:
    try:
        s = socket.socket(family, kind)
        s.settimeout(2)
        s.connect(address)
        # Now and then the kernel gives a socket the very port that it asks for: then it would hear itself.
        if s.getsockname() == s.getpeername(): raise OSError("its own address")
        s.send(b"x")
        print("got", s.recv(100).decode())
    except OSError as e:
        print("refused")
`;
const allRefused = (attempt: Attempt) =>
  (attempt.stdout === "" || /got/.test(attempt.stdout)) &&
  `expected refusals: ${attempt.stdout}${attempt.stderr}`;

export const networkCases: readonly Case[] = [
  {
    id: "N01",
    together: true,
    attempt: "connect to the host's loopback",
    language: "python",
    code: (w) =>
      connectAll(
        `[(2, 1, ("127.0.0.1", ${w.port})), (2, 1, ("0.0.0.0", ${w.port})), (10, 1, ("::1", ${w.port}))]`,
      ),
    judge: allRefused,
  },
  {
    id: "N02",
    together: true,
    attempt: "connect by bash",
    language: "bash",
    code: (w) => `exec 3<>/dev/tcp/127.0.0.1/${w.port} && cat <&3; true`,
  },
  {
    id: "N03",
    together: true,
    attempt: "connect to an abstract unix socket",
    language: "python",
    code: (w) => connectAll(`[(1, 1, "\\0${w.abstractName}")]`),
    judge: allRefused,
  },
  {
    id: "N04",
    together: true,
    attempt: "connect to a unix socket in the workspace",
    language: "python",
    code: () => connectAll('[(1, 1, "host.sock"), (1, 1, "/ws/host.sock")]'),
    judge: allRefused,
  },
  {
    id: "N05",
    together: true,
    attempt: "make a VSOCK socket",
    language: "python",
    code: () => rawCalls(["socket", 40, 1, 0]),
    judge: allFailWith(97),
  },
  {
    id: "N06",
    together: true,
    attempt: "send raw packets",
    language: "python",
    code: () => rawCalls(["socket", 2, 3, 1], ["socket", 10, 3, 58]),
    judge: (a) => / 0$/m.test(a.stdout) && a.stdout,
  },
  {
    id: "N07",
    together: true,
    attempt: "resolve a name",
    language: "python",
    code: () =>
      'import socket\ntry:\n    print(socket.getaddrinfo("example.com", 80))\nexcept OSError:\n    pass',
    judge: silent,
  },
  {
    id: "N08",
    together: true,
    attempt: "use io_uring",
    language: "python",
    code: () =>
      rawCalls(
        ["io_uring_setup", 8, 0],
        ["io_uring_enter", 0, 0, 0, 0, 0],
        ["io_uring_register", 0, 0, 0, 0],
      ),
    judge: allFailWith(1),
  },
  {
    id: "N09",
    together: true,
    attempt: "serve and connect on its own loopback (allowed)",
    language: "python",
    code: () => `
import socket
s = socket.create_server(("localhost", 0))
c = socket.create_connection(s.getsockname())
s.accept()[0].send(b"own")
print(c.recv(3).decode())
`,
    judge: says("own"),
  },
  {
    id: "N10",
    together: true,
    attempt: "send datagrams to the host and the internet",
    language: "python",
    code: (w) =>
      connectAll(
        `[(2, 2, ("127.0.0.1", ${w.port})), (2, 2, ("169.254.169.254", 53)), (2, 2, ("8.8.8.8", 53))]`,
      ),
    judge: allRefused,
  },
  {
    id: "N11",
    together: true,
    attempt: "talk to the kernel's network control",
    language: "python",
    code: () =>
      rawCalls(["socket", 16, 3, 12], ["socket", 16, 3, 15], ["socket", 17, 3, 768], ["socket", 38, 5, 0]),
    judge: allFailWith(97),
  },
  {
    id: "N20",
    together: true,
    attempt: "change a network interface by the socket that lists them",
    language: "python",
    code: () => `
import socket, struct
s = socket.socket(16, 3, 0)
s.bind((0, 0))
s.send(struct.pack("=LHHLL", 32, 16, 5, 1, 0) + struct.pack("=BxHiII", 0, 0, 1, 0, 1))
print("answer", struct.unpack("=i", s.recv(4096)[16:20])[0])`,
    judge: (a) => a.stdout !== "answer -1\n" && `expected a refusal (EPERM): ${a.stdout}${a.stderr}`,
  },
  {
    id: "N12",
    together: true,
    attempt: "reach the metadata service",
    language: "bash",
    code: () => "timeout 3 bash -c 'exec 3<>/dev/tcp/169.254.169.254/80 && echo connected'; true",
    judge: silent,
  },
];
