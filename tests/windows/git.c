/* The machine's own git for programs under Wine, which has none of its own: tests make histories with it.
 * Wine starts a program of the machine but cannot wait for it, so what it is given and what it says goes through files,
 * and the last of them is made when it has ended. Nothing of the user's configuration is read. */
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

typedef char *(CDECL *unix_name_of)(const WCHAR *);

enum { LOOK_EVERY_MILLISECONDS = 5, PATIENCE_MILLISECONDS = 60000 };
static unix_name_of unix_name;

static void stop(const char *why) {
    fprintf(stderr, "git under Wine: %s\n", why);
    exit(125);
}

/* One word of the shell. */
static void word(FILE *script, const char *text) {
    fputs(" '", script);
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", script);
        } else {
            fputc(*text, script);
        }
    }
    fputc('\'', script);
}

/* A path on a drive is one of the machine for git; all else stays as it is. */
static void argument(FILE *script, const WCHAR *text) {
    char utf8[32768];
    if ((text[0] && text[1] == ':') || (text[0] == '\\' && text[1] == '\\')) {
        word(script, unix_name(text));
    } else if (WideCharToMultiByte(CP_UTF8, 0, text, -1, utf8, sizeof utf8, NULL, NULL)) {
        word(script, utf8);
    } else {
        stop("an argument is too long");
    }
}

/* The file of this call that ends so, below the folder for temporary files. */
static const WCHAR *file(const WCHAR *ending) {
    static WCHAR names[8][MAX_PATH];
    static int made;
    WCHAR *name = names[made++ % 8], folder[MAX_PATH - 64];
    GetTempPathW(MAX_PATH - 64, folder);
    swprintf(name, MAX_PATH, L"%lsgit-%lu.%ls", folder, GetCurrentProcessId(), ending);
    return name;
}

static void pour(FILE *from, FILE *into) {
    char bytes[65536];
    size_t count;
    while ((count = fread(bytes, 1, sizeof bytes, from)) > 0) {
        fwrite(bytes, 1, count, into);
    }
    fclose(from);
    fflush(into);
}

static void retell(const WCHAR *name, FILE *into) {
    FILE *from = _wfopen(name, L"rb");
    if (from) {
        pour(from, into);
    }
    DeleteFileW(name);
}

static FILE *opened(const WCHAR *name) {
    FILE *file = _wfopen(name, L"wb");
    if (!file) {
        stop("a temporary file cannot be written");
    }
    return file;
}

int wmain(int count, WCHAR **arguments) {
    const WCHAR *in = file(L"in"), *out = file(L"out"), *complaint = file(L"err"), *status = file(L"status");
    const WCHAR *orders = file(L"sh");
    unix_name = (unix_name_of)(void *)GetProcAddress(GetModuleHandleA("kernel32"), "wine_get_unix_file_name");
    if (!unix_name) {
        stop("this is no Wine");
    }
    for (int stream = 0; stream < 3; stream++) {
        _setmode(stream, _O_BINARY);
    }
    WCHAR folder[MAX_PATH], command[2 * MAX_PATH];
    GetCurrentDirectoryW(MAX_PATH, folder);
    FILE *input = opened(in);
    if (GetFileType(GetStdHandle(STD_INPUT_HANDLE)) == FILE_TYPE_PIPE) {
        pour(stdin, input);
    }
    fclose(input);
    FILE *script = opened(orders);
    fputs("export HOME=/nowhere XDG_CONFIG_HOME=/nowhere GIT_CONFIG_NOSYSTEM=1 PATH=/usr/local/bin:/usr/bin:/bin\ncd", script);
    argument(script, folder);
    fputs("\ngit", script);
    for (int place = 1; place < count; place++) {
        argument(script, arguments[place]);
    }
    fputs(" <", script);
    argument(script, in);
    fputs(" >", script);
    argument(script, out);
    fputs(" 2>", script);
    argument(script, complaint);
    /* Whole as soon as it is there. */
    fputs("\necho $? >", script);
    word(script, unix_name(file(L"ended")));
    fputs("\nmv", script);
    word(script, unix_name(file(L"ended")));
    argument(script, status);
    fclose(script);

    STARTUPINFOW start = {.cb = sizeof start};
    PROCESS_INFORMATION started;
    swprintf(command, 2 * MAX_PATH, L"sh \"%hs\"", unix_name(orders));
    if (!CreateProcessW(L"\\\\?\\unix\\bin\\sh", command, NULL, NULL, FALSE, 0, NULL, NULL, &start, &started)) {
        stop("the shell of this machine cannot be started");
    }
    FILE *ended = NULL;
    for (int waited = 0; !(ended = _wfopen(status, L"rb")) && waited < PATIENCE_MILLISECONDS; waited += LOOK_EVERY_MILLISECONDS) {
        Sleep(LOOK_EVERY_MILLISECONDS);
    }
    int code = 125;
    if (ended) {
        fscanf(ended, "%d", &code);
        fclose(ended);
    }
    retell(out, stdout);
    retell(complaint, stderr);
    DeleteFileW(in);
    DeleteFileW(orders);
    DeleteFileW(status);
    return code;
}
