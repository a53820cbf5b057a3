import { asUser, done } from "./server.ts";

/** Names of a certificate, as `subjectAltName` has them. */
export type Certificates = Awaited<ReturnType<typeof certificates>>;

/**
 * A CA and certificates that it signed, by openssl, in a folder of their own, as the user whom the server runs as.
 *
 * @param names what each is for, such as `{ server: "IP:127.0.0.1" }`: `server.crt` and `server.key`.
 */
export async function certificates(names: Readonly<Record<string, string>>) {
  const folder = await Deno.makeTempDir();
  await Deno.chmod(folder, 0o777);
  const openssl = (...args: string[]) => done(asUser(["env", "-C", folder, "openssl", ...args]));
  const fresh = (name: string) => [
    ...["req", "-newkey", "rsa:2048", "-nodes", "-subj", `/CN=${name}`, "-keyout", `${name}.key`],
  ];
  const ca = ["-x509", "-days", "2", "-addext", "basicConstraints=critical,CA:TRUE"];
  for (const name of ["ca", "stranger"]) await openssl(...fresh(name), ...ca, "-out", `${name}.crt`);
  for (const [name, subject] of Object.entries(names)) {
    await openssl(...fresh(name), "-addext", `subjectAltName=${subject}`, "-out", `${name}.csr`);
    const signing = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-copy_extensions", "copy", "-days", "2"];
    await openssl("x509", "-req", "-in", `${name}.csr`, ...signing, "-out", `${name}.crt`);
  }
  return { folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

/** The settings of a server that has TLS with one of them. */
export const withTls = ({ folder }: Certificates, name: string): string[] => [
  ...["ssl=on", `ssl_cert_file=${folder}/${name}.crt`, `ssl_key_file=${folder}/${name}.key`],
];
