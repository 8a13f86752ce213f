/*
 * Load client of the benchmark. It must cost little beside the servers it measures, because it
 * shares the machine with them. Prints one line of JSON; exits 1 with a message on stderr.
 *
 *   load write  --port P --method PUT --size N --request-size R [--tus] [--header H]... PATH...
 *   load read   --port P --size N [--verify] [--until-close] [--header H]... PATH...
 *   load create --port P --count N --size N --connections C [--header H]... PATH
 *   load drain                      (reads stdin to its end)
 *
 * Several paths are moved at once, each over a connection of its own.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A prime period: a block that lands at a wrong offset never looks right. */
#define PERIOD 1048573u
#define SEND_BYTES (1u << 20)
#define RECEIVE_BYTES (256u << 10)
#define HEAD_BYTES 16384
#define STALL_SECONDS 60

typedef struct {
  int port, verify, tus, until_close, connections, path_count;
  long long size, request_size, count;
  const char *method;
  char headers[8192];
  char **paths;
} options;

typedef struct {
  long long bytes;
  double first_byte_ms;
} transfer;

static unsigned char *pattern; /* PERIOD + SEND_BYTES bytes, so that no send wraps */

static void fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static void make_pattern(void) {
  unsigned x = 2463534242u;
  pattern = malloc(PERIOD + SEND_BYTES);
  if (!pattern) fail("out of memory");
  for (unsigned i = 0; i < PERIOD; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    pattern[i] = x & 255;
  }
  for (unsigned i = PERIOD; i < PERIOD + SEND_BYTES; i++) pattern[i] = pattern[i - PERIOD];
}

static int open_connection(int port) {
  int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct timeval stall = {.tv_sec = STALL_SECONDS};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) fail("connect: %s", strerror(errno));
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &stall, sizeof stall);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &stall, sizeof stall);
  return fd;
}

/* Value of a header in a head that ends with a zero byte, or NULL. */
static const char *header_value(const char *head, const char *name) {
  size_t length = strlen(name);
  for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
    if (!strncasecmp(line + 2, name, length) && line[2 + length] == ':') {
      const char *value = line + 3 + length;
      while (*value == ' ') value++;
      return value;
    }
  }
  return NULL;
}

typedef struct {
  int status;
  long long length; /* -1: not announced */
  int chunked;
  size_t head_bytes;
} response;

/* Returns 0 while the head is incomplete. Replaces the last line feed of the head by a zero. */
static int parse_response(char *buffer, size_t filled, response *out) {
  char *end = memmem(buffer, filled, "\r\n\r\n", 4);
  if (!end) return 0;
  end[3] = 0;
  const char *length = header_value(buffer, "content-length");
  const char *encoding = header_value(buffer, "transfer-encoding");
  out->status = atoi(buffer + 9);
  out->length = length ? atoll(length) : -1;
  out->chunked = encoding && !strncasecmp(encoding, "chunked", 7);
  out->head_bytes = end + 4 - buffer;
  return 1;
}

/* Reads up to the end of the head; `filled` then counts the body bytes that came along, too. */
static response receive_head(int fd, char *buffer, size_t *filled) {
  response response = {0};
  *filled = 0;
  for (;;) {
    if (*filled == HEAD_BYTES) fail("the head of the response is too long");
    ssize_t got = recv(fd, buffer + *filled, HEAD_BYTES - *filled, 0);
    if (got <= 0) fail("no response: %s", got ? strerror(errno) : "connection closed");
    *filled += got;
    if (parse_response(buffer, *filled, &response)) return response;
  }
}

static void refuse(const char *path, const response *response, const char *buffer, size_t filled) {
  int body = filled - response->head_bytes;
  fail("%s returned %d: %.*s", path, response->status, body > 300 ? 300 : body,
       buffer + response->head_bytes);
}

/* Reads the response of a request whose body was sent, and leaves the connection reusable. */
static void expect_success(int fd, const char *path) {
  char buffer[HEAD_BYTES + 1];
  size_t filled;
  response response = receive_head(fd, buffer, &filled);
  if (response.status < 200 || response.status > 204) refuse(path, &response, buffer, filled);
  long long left = response.status == 204 || response.length < 0 ? 0 : response.length;
  left -= filled - response.head_bytes;
  while (left > 0) {
    ssize_t got = recv(fd, buffer, left < HEAD_BYTES ? left : HEAD_BYTES, 0);
    if (got <= 0) fail("the response of %s was cut", path);
    left -= got;
  }
}

/* A server may respond before it has read the body; then the response is the reason. */
static void send_all(int fd, const char *path, const void *data, size_t bytes, int flags) {
  const char *at = data;
  while (bytes) {
    ssize_t sent = send(fd, at, bytes, flags | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) {
      if (errno != EAGAIN) expect_success(fd, path);
      fail("send to %s: %s", path, strerror(errno));
    }
    at += sent;
    bytes -= sent;
  }
}

static void send_pattern(int fd, const char *path, long long from, long long bytes) {
  while (bytes) {
    long long part = bytes < SEND_BYTES ? bytes : SEND_BYTES;
    send_all(fd, path, pattern + from % PERIOD, part, 0);
    from += part;
    bytes -= part;
  }
}

static transfer write_path(const options *o, const char *path) {
  int fd = open_connection(o->port);
  char head[HEAD_BYTES], extra[128] = "";
  long long offset = 0;
  do {
    long long part = o->size - offset < o->request_size ? o->size - offset : o->request_size;
    if (o->tus)
      snprintf(extra, sizeof extra,
               "Tus-Resumable: 1.0.0\r\nUpload-Offset: %lld\r\n"
               "Content-Type: application/offset+octet-stream\r\n",
               offset);
    int length = snprintf(head, sizeof head,
                          "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: %lld\r\n%s%s\r\n",
                          o->method, path, o->port, part, extra, o->headers);
    send_all(fd, path, head, length, part ? MSG_MORE : 0);
    send_pattern(fd, path, offset, part);
    expect_success(fd, path);
    offset += part;
  } while (offset < o->size);
  close(fd);
  return (transfer){.bytes = offset};
}

static void verify(const char *path, const char *data, long long from, size_t bytes) {
  while (bytes) {
    size_t part = bytes < SEND_BYTES ? bytes : SEND_BYTES;
    if (memcmp(data, pattern + from % PERIOD, part))
      fail("%s has wrong bytes within %zu after offset %lld", path, part, from);
    data += part;
    from += part;
    bytes -= part;
  }
}

static transfer read_path(const options *o, const char *path) {
  int fd = open_connection(o->port);
  char head[HEAD_BYTES + 1], *buffer = malloc(RECEIVE_BYTES);
  int length = snprintf(head, sizeof head, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s\r\n", path,
                        o->port, o->until_close ? "Connection: close\r\n" : "", o->headers);
  double started = now(), first = 0;
  send_all(fd, path, head, length, 0);
  size_t filled;
  response response = receive_head(fd, head, &filled);
  if (response.status != 200) refuse(path, &response, head, filled);
  if (response.length < 0 && !o->until_close) fail("%s does not announce its length", path);
  long long got = filled - response.head_bytes;
  if (got) first = now();
  if (o->verify) verify(path, head + response.head_bytes, 0, got);
  while (response.length < 0 || got < response.length) {
    ssize_t part = recv(fd, buffer, RECEIVE_BYTES, 0);
    if (part < 0) fail("read of %s: %s", path, strerror(errno));
    if (part == 0) break;
    if (!first) first = now();
    if (o->verify) verify(path, buffer, got, part);
    got += part;
  }
  if (got < o->size) fail("%s ended after %lld of %lld bytes", path, got, o->size);
  close(fd);
  free(buffer);
  return (transfer){.bytes = got, .first_byte_ms = (first - started) * 1000};
}

static void move_paths(const options *o, transfer (*move)(const options *, const char *)) {
  transfer *shared = mmap(NULL, o->path_count * sizeof(transfer), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  double started = now(), first = 0;
  long long bytes = 0;
  int failed = 0, status;
  if (o->path_count == 1) {
    shared[0] = move(o, o->paths[0]);
  } else {
    for (int i = 0; i < o->path_count; i++) {
      pid_t child = fork();
      if (child < 0) fail("fork: %s", strerror(errno));
      if (child == 0) {
        shared[i] = move(o, o->paths[i]);
        _exit(0);
      }
    }
    while (wait(&status) > 0) failed |= status != 0;
  }
  double seconds = now() - started;
  if (failed) fail("a transfer failed");
  for (int i = 0; i < o->path_count; i++) {
    bytes += shared[i].bytes;
    if (shared[i].first_byte_ms > first) first = shared[i].first_byte_ms;
  }
  printf("{\"bytes\":%lld,\"seconds\":%.6f,\"firstByteMs\":%.3f}\n", bytes, seconds, first);
}

/* Names of twelve bytes make sixteen letters without padding. */
static void encode_name(long long number, char *out) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char name[32];
  snprintf(name, sizeof name, "f-%06lld.bin", number % 1000000);
  for (int i = 0; i < 4; i++) {
    unsigned v = (unsigned char)name[3 * i] << 16 | (unsigned char)name[3 * i + 1] << 8 |
                 (unsigned char)name[3 * i + 2];
    for (int j = 0; j < 4; j++) out[4 * i + j] = letters[v >> (18 - 6 * j) & 63];
  }
  out[16] = 0;
}

typedef struct {
  int fd, busy;
  size_t filled;
  long long number;
  double sent_at;
  char response[HEAD_BYTES + 1];
} slot;

static void send_creation(const options *o, slot *s, long long number) {
  static char request[HEAD_BYTES + SEND_BYTES];
  char name[17];
  encode_name(number, name);
  /* The caller's Upload-Metadata ends with "filename "; the name completes it. */
  int length = snprintf(request, HEAD_BYTES,
                        "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nTus-Resumable: 1.0.0\r\n"
                        "Content-Type: application/offset+octet-stream\r\n"
                        "Upload-Length: %lld\r\nContent-Length: %lld\r\n%.*s%s\r\n\r\n",
                        o->paths[0], o->port, o->size, o->size, (int)strlen(o->headers) - 2,
                        o->headers, name);
  memcpy(request + length, pattern, o->size);
  s->filled = 0;
  s->busy = 1;
  s->number = number;
  s->sent_at = now();
  send_all(s->fd, o->paths[0], request, length + o->size, 0);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void create_files(const options *o) {
  int poll = epoll_create1(0);
  slot *slots = calloc(o->connections, sizeof(slot));
  double *latencies = calloc(o->count, sizeof(double));
  long long next = 0, done = 0;
  if (o->size > SEND_BYTES) fail("create is for small files");
  for (int i = 0; i < o->connections; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &slots[i]};
    slots[i].fd = open_connection(o->port);
    epoll_ctl(poll, EPOLL_CTL_ADD, slots[i].fd, &event);
  }
  double started = now();
  for (int i = 0; i < o->connections && next < o->count; i++) send_creation(o, &slots[i], next++);
  while (done < o->count) {
    struct epoll_event events[64];
    int ready = epoll_wait(poll, events, 64, STALL_SECONDS * 1000);
    if (ready <= 0) fail("no response for %d s after %lld files", STALL_SECONDS, done);
    for (int i = 0; i < ready; i++) {
      slot *s = events[i].data.ptr;
      response response;
      ssize_t got = recv(s->fd, s->response + s->filled, HEAD_BYTES - s->filled, 0);
      if (got <= 0)
        fail("after %lld files: %s", done, got ? strerror(errno) : "connection closed");
      s->filled += got;
      if (!s->busy || !parse_response(s->response, s->filled, &response)) continue;
      if (response.status != 201) refuse(o->paths[0], &response, s->response, s->filled);
      if (response.length > (long long)(s->filled - response.head_bytes)) continue;
      latencies[done++] = now() - s->sent_at;
      s->busy = 0;
      if (next < o->count) send_creation(o, s, next++);
    }
  }
  double seconds = now() - started;
  qsort(latencies, o->count, sizeof(double), by_value);
  printf("{\"files\":%lld,\"seconds\":%.6f,\"medianMs\":%.3f,\"p99Ms\":%.3f}\n", o->count, seconds,
         latencies[o->count / 2] * 1000, latencies[o->count * 99 / 100] * 1000);
}

static void drain_input(void) {
  char *buffer = malloc(RECEIVE_BYTES);
  long long bytes = 0;
  ssize_t got;
  double started = now();
  while ((got = read(0, buffer, RECEIVE_BYTES)) > 0) bytes += got;
  printf("{\"bytes\":%lld,\"seconds\":%.6f,\"firstByteMs\":0}\n", bytes, now() - started);
}

static void add_header(options *o, const char *header) {
  size_t used = strlen(o->headers);
  if (used + strlen(header) + 3 > sizeof o->headers) fail("the headers are too long");
  sprintf(o->headers + used, "%s\r\n", header);
}

static options parse_options(int argc, char **argv) {
  options o = {.method = "PATCH", .connections = 1, .count = 1};
  int i = 2;
  for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
    const char *name = argv[i] + 2;
    if (!strcmp(name, "tus")) { o.tus = 1; continue; }
    if (!strcmp(name, "verify")) { o.verify = 1; continue; }
    if (!strcmp(name, "until-close")) { o.until_close = 1; continue; }
    if (++i == argc) fail("--%s needs a value", name);
    if (!strcmp(name, "port")) o.port = atoi(argv[i]);
    else if (!strcmp(name, "method")) o.method = argv[i];
    else if (!strcmp(name, "size")) o.size = atoll(argv[i]);
    else if (!strcmp(name, "request-size")) o.request_size = atoll(argv[i]);
    else if (!strcmp(name, "count")) o.count = atoll(argv[i]);
    else if (!strcmp(name, "connections")) o.connections = atoi(argv[i]);
    else if (!strcmp(name, "header")) add_header(&o, argv[i]);
    else fail("unknown option --%s", name);
  }
  o.paths = argv + i;
  o.path_count = argc - i;
  if (o.request_size <= 0) o.request_size = o.size;
  return o;
}

int main(int argc, char **argv) {
  const char *command = argc > 1 ? argv[1] : "";
  if (!strcmp(command, "drain")) {
    drain_input();
    return 0;
  }
  options o = parse_options(argc, argv);
  if (!o.path_count || !o.port) fail("usage: load write|read|create --port P … PATH…");
  signal(SIGPIPE, SIG_IGN);
  make_pattern();
  if (!strcmp(command, "write")) move_paths(&o, write_path);
  else if (!strcmp(command, "read")) move_paths(&o, read_path);
  else if (!strcmp(command, "create")) create_files(&o);
  else fail("unknown command %s", command);
  return 0;
}
