/* What Rust's standard library asks Windows for at the first random number, for Wine 8, which has no such library.
 * It is put into the prefix that the tests run in and is no part of the program. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) {
    while (length > 0) {
        ULONG part = length > MAXLONG ? MAXLONG : (ULONG)length;
        if (!RtlGenRandom(bytes, part)) {
            return FALSE;
        }
        bytes += part;
        length -= part;
    }
    return TRUE;
}
