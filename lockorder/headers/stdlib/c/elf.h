/* Parse-only stand-in for <elf.h>. */
#pragma once
#include <stdint.h>
typedef uint16_t Elf32_Half, Elf64_Half, Elf32_Section, Elf64_Section; typedef uint32_t Elf32_Word, Elf64_Word, Elf32_Addr, Elf32_Off; typedef int32_t Elf32_Sword, Elf64_Sword; typedef uint64_t Elf32_Xword, Elf64_Xword, Elf64_Addr, Elf64_Off; typedef int64_t Elf64_Sxword;
#define EI_NIDENT 16
typedef struct { unsigned char e_ident[16]; Elf64_Half e_type, e_machine; Elf64_Word e_version; Elf64_Addr e_entry; Elf64_Off e_phoff, e_shoff; Elf64_Word e_flags; Elf64_Half e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx; } Elf64_Ehdr; typedef Elf64_Ehdr Elf32_Ehdr;
typedef struct { Elf64_Word sh_name, sh_type; Elf64_Xword sh_flags; Elf64_Addr sh_addr; Elf64_Off sh_offset; Elf64_Xword sh_size; Elf64_Word sh_link, sh_info; Elf64_Xword sh_addralign, sh_entsize; } Elf64_Shdr; typedef Elf64_Shdr Elf32_Shdr;
typedef struct { Elf64_Word p_type, p_flags; Elf64_Off p_offset; Elf64_Addr p_vaddr, p_paddr; Elf64_Xword p_filesz, p_memsz, p_align; } Elf64_Phdr; typedef Elf64_Phdr Elf32_Phdr;
typedef struct { Elf64_Word st_name; unsigned char st_info, st_other; Elf64_Section st_shndx; Elf64_Addr st_value; Elf64_Xword st_size; } Elf64_Sym; typedef Elf64_Sym Elf32_Sym;
typedef struct { Elf64_Sxword d_tag; union { Elf64_Xword d_val; Elf64_Addr d_ptr; } d_un; } Elf64_Dyn; typedef Elf64_Dyn Elf32_Dyn;
typedef struct { Elf64_Addr r_offset; Elf64_Xword r_info; } Elf64_Rel; typedef struct { Elf64_Addr r_offset; Elf64_Xword r_info; Elf64_Sxword r_addend; } Elf64_Rela; typedef struct { Elf64_Word n_namesz, n_descsz, n_type; } Elf64_Nhdr; typedef Elf64_Nhdr Elf32_Nhdr; typedef struct { uint64_t a_type; union { uint64_t a_val; } a_un; } Elf64_auxv_t;
#define ELFMAG "\177ELF"
#define SELFMAG 4
#define EI_MAG0 0
#define EI_CLASS 4
#define EI_DATA 5
#define ELFCLASS32 1
#define ELFCLASS64 2
#define ELFDATA2LSB 1
#define ET_REL 1
#define ET_EXEC 2
#define ET_DYN 3
#define ET_CORE 4
#define EM_X86_64 62
#define EM_AARCH64 183
#define EM_CUDA 190
#define PT_NULL 0
#define PT_LOAD 1
#define PT_DYNAMIC 2
#define PT_INTERP 3
#define PT_NOTE 4
#define PT_PHDR 6
#define PT_TLS 7
#define PT_GNU_EH_FRAME 0x6474e550
#define PF_X 1
#define PF_W 2
#define PF_R 4
#define SHT_NULL 0
#define SHT_PROGBITS 1
#define SHT_SYMTAB 2
#define SHT_STRTAB 3
#define SHT_RELA 4
#define SHT_DYNAMIC 6
#define SHT_NOTE 7
#define SHT_NOBITS 8
#define SHT_REL 9
#define SHT_DYNSYM 11
#define SHN_UNDEF 0
#define SHN_ABS 0xfff1
#define DT_NULL 0
#define DT_NEEDED 1
#define DT_PLTRELSZ 2
#define DT_HASH 4
#define DT_STRTAB 5
#define DT_SYMTAB 6
#define DT_RELA 7
#define DT_RELASZ 8
#define DT_STRSZ 10
#define DT_SONAME 14
#define DT_RPATH 15
#define DT_JMPREL 23
#define DT_GNU_HASH 0x6ffffef5
#define STT_NOTYPE 0
#define STT_OBJECT 1
#define STT_FUNC 2
#define STB_LOCAL 0
#define STB_GLOBAL 1
#define STB_WEAK 2
#define NT_GNU_BUILD_ID 3
#define ELF64_ST_BIND(i) ((i) >> 4)
#define ELF64_ST_TYPE(i) ((i) & 0xf)
#define ELF32_ST_BIND(i) ((i) >> 4)
#define ELF32_ST_TYPE(i) ((i) & 0xf)
#define ELF64_R_SYM(i) ((i) >> 32)
#define ELF64_R_TYPE(i) ((i) & 0xffffffffUL)
#define AT_NULL 0
#define AT_PHDR 3
#define AT_PAGESZ 6
#define AT_BASE 7
#define AT_PLATFORM 15
#define AT_HWCAP 16
#define AT_HWCAP2 26
#define AT_SECURE 23
#define AT_RANDOM 25
#define AT_EXECFN 31
#define AT_SYSINFO_EHDR 33
