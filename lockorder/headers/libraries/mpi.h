// Parse-only stand-in for MPI's mpi.h.
#pragma once
#include <stddef.h>
#include <stdint.h>
#define MPI_VERSION 4
#define MPI_SUBVERSION 0
#define OPEN_MPI 1
#define OMPI_MAJOR_VERSION 4
#define OMPI_MINOR_VERSION 1
typedef struct lostub_mpi_comm* MPI_Comm;
typedef struct lostub_mpi_datatype* MPI_Datatype;
typedef struct lostub_mpi_group* MPI_Group;
typedef struct lostub_mpi_request* MPI_Request;
typedef struct lostub_mpi_op* MPI_Op;
typedef struct lostub_mpi_win* MPI_Win;
typedef struct lostub_mpi_info* MPI_Info;
typedef struct lostub_mpi_file* MPI_File;
typedef struct lostub_mpi_errhandler* MPI_Errhandler;
typedef struct lostub_mpi_message* MPI_Message;
typedef struct lostub_mpi_session* MPI_Session;
typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;
typedef struct MPI_Status { int MPI_SOURCE, MPI_TAG, MPI_ERROR, _cancelled; size_t _ucount; } MPI_Status;
typedef void MPI_User_function(void*, void*, int*, MPI_Datatype*);
typedef void MPI_Comm_errhandler_function(MPI_Comm*, int*, ...);
typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void*, void*, void*, int*);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void*, void*);
#define LOSTUB_MPI(T, n) ((T)(intptr_t)(n))
#define MPI_COMM_WORLD LOSTUB_MPI(MPI_Comm, 1)
#define MPI_COMM_SELF LOSTUB_MPI(MPI_Comm, 2)
#define MPI_COMM_NULL LOSTUB_MPI(MPI_Comm, 0)
#define MPI_GROUP_NULL LOSTUB_MPI(MPI_Group, 0)
#define MPI_GROUP_EMPTY LOSTUB_MPI(MPI_Group, 1)
#define MPI_REQUEST_NULL LOSTUB_MPI(MPI_Request, 0)
#define MPI_MESSAGE_NULL LOSTUB_MPI(MPI_Message, 0)
#define MPI_DATATYPE_NULL LOSTUB_MPI(MPI_Datatype, 0)
#define MPI_OP_NULL LOSTUB_MPI(MPI_Op, 0)
#define MPI_WIN_NULL LOSTUB_MPI(MPI_Win, 0)
#define MPI_FILE_NULL LOSTUB_MPI(MPI_File, 0)
#define MPI_INFO_NULL LOSTUB_MPI(MPI_Info, 0)
#define MPI_INFO_ENV LOSTUB_MPI(MPI_Info, 1)
#define MPI_ERRHANDLER_NULL LOSTUB_MPI(MPI_Errhandler, 0)
#define MPI_ERRORS_ARE_FATAL LOSTUB_MPI(MPI_Errhandler, 1)
#define MPI_ERRORS_RETURN LOSTUB_MPI(MPI_Errhandler, 2)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)
#define MPI_ERRCODES_IGNORE ((int*)0)
#define MPI_ARGV_NULL ((char**)0)
#define MPI_ARGVS_NULL ((char***)0)
#define MPI_BOTTOM ((void*)0)
#define MPI_IN_PLACE ((void*)1)
#define MPI_UNWEIGHTED ((int*)2)
#define MPI_ANY_SOURCE -1
#define MPI_PROC_NULL -2
#define MPI_ROOT -4
#define MPI_ANY_TAG -1
#define MPI_UNDEFINED -32766
#define MPI_KEYVAL_INVALID -1
#define MPI_MAX_PROCESSOR_NAME 256
#define MPI_MAX_ERROR_STRING 256
#define MPI_MAX_OBJECT_NAME 64
#define MPI_MAX_PORT_NAME 1024
#define MPI_MAX_INFO_KEY 36
#define MPI_MAX_INFO_VAL 256
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_BSEND_OVERHEAD 128
#define MPI_ORDER_C 0
#define MPI_ORDER_FORTRAN 1
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function*)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function*)0)
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum { MPI_IDENT, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL };
enum { MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_APPNUM, MPI_LASTUSEDCODE, MPI_UNIVERSE_SIZE, MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_MODEL };
enum { MPI_COMM_TYPE_SHARED, OMPI_COMM_TYPE_NODE, OMPI_COMM_TYPE_NUMA, OMPI_COMM_TYPE_SOCKET };
enum { MPI_LOCK_EXCLUSIVE = 1, MPI_LOCK_SHARED = 2, MPI_MODE_NOCHECK = 1, MPI_MODE_NOPRECEDE = 2, MPI_MODE_NOPUT = 4, MPI_MODE_NOSTORE = 8, MPI_MODE_NOSUCCEED = 16, MPI_MODE_CREATE = 1, MPI_MODE_RDONLY = 2, MPI_MODE_WRONLY = 4, MPI_MODE_RDWR = 8 };
enum { MPI_SUCCESS, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TAG, MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_REQUEST, MPI_ERR_ROOT, MPI_ERR_GROUP, MPI_ERR_OP, MPI_ERR_TOPOLOGY, MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_UNKNOWN, MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_IN_STATUS, MPI_ERR_PENDING, MPI_ERR_LASTCODE = 92 };
#define LOSTUB_DT(n) LOSTUB_MPI(MPI_Datatype, n)
#define MPI_CHAR LOSTUB_DT(1)
#define MPI_SIGNED_CHAR LOSTUB_DT(2)
#define MPI_UNSIGNED_CHAR LOSTUB_DT(3)
#define MPI_BYTE LOSTUB_DT(4)
#define MPI_WCHAR LOSTUB_DT(5)
#define MPI_SHORT LOSTUB_DT(6)
#define MPI_UNSIGNED_SHORT LOSTUB_DT(7)
#define MPI_INT LOSTUB_DT(8)
#define MPI_UNSIGNED LOSTUB_DT(9)
#define MPI_LONG LOSTUB_DT(10)
#define MPI_UNSIGNED_LONG LOSTUB_DT(11)
#define MPI_LONG_LONG LOSTUB_DT(12)
#define MPI_LONG_LONG_INT LOSTUB_DT(12)
#define MPI_UNSIGNED_LONG_LONG LOSTUB_DT(13)
#define MPI_FLOAT LOSTUB_DT(14)
#define MPI_DOUBLE LOSTUB_DT(15)
#define MPI_LONG_DOUBLE LOSTUB_DT(16)
#define MPI_C_BOOL LOSTUB_DT(17)
#define MPI_CXX_BOOL LOSTUB_DT(17)
#define MPI_INT8_T LOSTUB_DT(18)
#define MPI_INT16_T LOSTUB_DT(19)
#define MPI_INT32_T LOSTUB_DT(20)
#define MPI_INT64_T LOSTUB_DT(21)
#define MPI_UINT8_T LOSTUB_DT(22)
#define MPI_UINT16_T LOSTUB_DT(23)
#define MPI_UINT32_T LOSTUB_DT(24)
#define MPI_UINT64_T LOSTUB_DT(25)
#define MPI_AINT LOSTUB_DT(26)
#define MPI_OFFSET LOSTUB_DT(27)
#define MPI_COUNT LOSTUB_DT(28)
#define MPI_PACKED LOSTUB_DT(29)
#define MPI_C_COMPLEX LOSTUB_DT(30)
#define MPI_C_FLOAT_COMPLEX LOSTUB_DT(30)
#define MPI_C_DOUBLE_COMPLEX LOSTUB_DT(31)
#define MPI_COMPLEX LOSTUB_DT(30)
#define MPI_DOUBLE_COMPLEX LOSTUB_DT(31)
#define MPI_2INT LOSTUB_DT(32)
#define MPI_FLOAT_INT LOSTUB_DT(33)
#define MPI_DOUBLE_INT LOSTUB_DT(34)
#define MPI_LONG_INT LOSTUB_DT(35)
#define MPI_SHORT_INT LOSTUB_DT(36)
#define MPI_CXX_FLOAT_COMPLEX LOSTUB_DT(37)
#define MPI_CXX_DOUBLE_COMPLEX LOSTUB_DT(38)
#define LOSTUB_OP(n) LOSTUB_MPI(MPI_Op, n)
#define MPI_MAX LOSTUB_OP(1)
#define MPI_MIN LOSTUB_OP(2)
#define MPI_SUM LOSTUB_OP(3)
#define MPI_PROD LOSTUB_OP(4)
#define MPI_LAND LOSTUB_OP(5)
#define MPI_BAND LOSTUB_OP(6)
#define MPI_LOR LOSTUB_OP(7)
#define MPI_BOR LOSTUB_OP(8)
#define MPI_LXOR LOSTUB_OP(9)
#define MPI_BXOR LOSTUB_OP(10)
#define MPI_MINLOC LOSTUB_OP(11)
#define MPI_MAXLOC LOSTUB_OP(12)
#define MPI_REPLACE LOSTUB_OP(13)
#define MPI_NO_OP LOSTUB_OP(14)
#ifdef __cplusplus
extern "C" {
#endif
int MPI_Init(int* argc, char*** argv); int MPI_Init_thread(int* argc, char*** argv, int required, int* provided); int MPI_Initialized(int* flag); int MPI_Finalize(void); int MPI_Finalized(int* flag); int MPI_Abort(MPI_Comm comm, int errorcode); int MPI_Query_thread(int* provided); int MPI_Is_thread_main(int* flag); int MPI_Get_version(int* version, int* subversion); int MPI_Get_library_version(char* version, int* resultlen); int MPI_Get_processor_name(char* name, int* resultlen); double MPI_Wtime(void); double MPI_Wtick(void);
int MPI_Error_string(int errorcode, char* string, int* resultlen); int MPI_Error_class(int errorcode, int* errorclass); int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler); int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* errhandler); int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* errhandler); int MPI_Errhandler_free(MPI_Errhandler* errhandler); int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler);
int MPI_Comm_rank(MPI_Comm comm, int* rank); int MPI_Comm_size(MPI_Comm comm, int* size); int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm); int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request); int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm); int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm); int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm); int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm); int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm); int MPI_Comm_free(MPI_Comm* comm); int MPI_Comm_disconnect(MPI_Comm* comm); int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int* result); int MPI_Comm_group(MPI_Comm comm, MPI_Group* group); int MPI_Comm_remote_size(MPI_Comm comm, int* size); int MPI_Comm_test_inter(MPI_Comm comm, int* flag); int MPI_Comm_get_parent(MPI_Comm* parent); int MPI_Comm_set_name(MPI_Comm comm, const char* name); int MPI_Comm_get_name(MPI_Comm comm, char* name, int* resultlen); int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info);
int MPI_Comm_spawn(const char* command, char* argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* intercomm, int errcodes[]); int MPI_Comm_accept(const char* port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* newcomm); int MPI_Comm_connect(const char* port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* newcomm); int MPI_Open_port(MPI_Info info, char* port_name); int MPI_Close_port(const char* port_name); int MPI_Publish_name(const char* service_name, MPI_Info info, const char* port_name); int MPI_Unpublish_name(const char* service_name, MPI_Info info, const char* port_name); int MPI_Lookup_name(const char* service_name, MPI_Info info, char* port_name); int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag, MPI_Comm* newintercomm); int MPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm);
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* del, int* keyval, void* extra); int MPI_Comm_free_keyval(int* keyval); int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void* value); int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void* value, int* flag); int MPI_Comm_delete_attr(MPI_Comm comm, int keyval); int MPI_Attr_get(MPI_Comm comm, int keyval, void* value, int* flag);
int MPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group* newgroup); int MPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group* newgroup); int MPI_Group_free(MPI_Group* group); int MPI_Group_rank(MPI_Group group, int* rank); int MPI_Group_size(MPI_Group group, int* size); int MPI_Group_translate_ranks(MPI_Group g1, int n, const int r1[], MPI_Group g2, int r2[]); int MPI_Group_union(MPI_Group a, MPI_Group b, MPI_Group* newgroup); int MPI_Group_difference(MPI_Group a, MPI_Group b, MPI_Group* newgroup); int MPI_Group_intersection(MPI_Group a, MPI_Group b, MPI_Group* newgroup); int MPI_Group_compare(MPI_Group a, MPI_Group b, int* result);
int MPI_Send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm); int MPI_Isend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request); int MPI_Ssend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm); int MPI_Issend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request); int MPI_Bsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm); int MPI_Ibsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request); int MPI_Rsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm); int MPI_Irsend(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Recv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status* status); int MPI_Irecv(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request* request); int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status* status); int MPI_Sendrecv_replace(void* buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status* status); int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status); int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status); int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status); int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status); int MPI_Mrecv(void* buf, int count, MPI_Datatype datatype, MPI_Message* message, MPI_Status* status); int MPI_Buffer_attach(void* buffer, int size); int MPI_Buffer_detach(void* buffer, int* size);
int MPI_Wait(MPI_Request* request, MPI_Status* status); int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]); int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status); int MPI_Waitsome(int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]); int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status); int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]); int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status); int MPI_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]); int MPI_Request_free(MPI_Request* request); int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status); int MPI_Cancel(MPI_Request* request); int MPI_Test_cancelled(const MPI_Status* status, int* flag); int MPI_Send_init(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request* request); int MPI_Recv_init(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request* request); int MPI_Start(MPI_Request* request); int MPI_Startall(int count, MPI_Request requests[]); int MPI_Get_count(const MPI_Status* status, MPI_Datatype datatype, int* count); int MPI_Get_elements(const MPI_Status* status, MPI_Datatype datatype, int* count);
int MPI_Barrier(MPI_Comm comm); int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request); int MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm); int MPI_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request); int MPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm); int MPI_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request* request); int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm); int MPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request* request);
int MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm); int MPI_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request); int MPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm); int MPI_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm); int MPI_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request); int MPI_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm); int MPI_Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request); int MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm); int MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm); int MPI_Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request); int MPI_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm); int MPI_Alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int MPI_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm); int MPI_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm); int MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm); int MPI_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm); int MPI_Reduce_local(const void* inbuf, void* inoutbuf, int count, MPI_Datatype datatype, MPI_Op op); int MPI_Op_create(MPI_User_function* function, int commute, MPI_Op* op); int MPI_Op_free(MPI_Op* op);
int MPI_Type_size(MPI_Datatype datatype, int* size); int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint* lb, MPI_Aint* extent); int MPI_Type_commit(MPI_Datatype* datatype); int MPI_Type_free(MPI_Datatype* datatype); int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* newtype); int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype* newtype); int MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype* newtype); int MPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype* newtype); int MPI_Type_indexed(int count, const int blocklengths[], const int displacements[], MPI_Datatype oldtype, MPI_Datatype* newtype); int MPI_Type_create_struct(int count, const int blocklengths[], const MPI_Aint displacements[], const MPI_Datatype types[], MPI_Datatype* newtype); int MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype* newtype); int MPI_Type_create_subarray(int ndims, const int sizes[], const int subsizes[], const int starts[], int order, MPI_Datatype oldtype, MPI_Datatype* newtype); int MPI_Get_address(const void* location, MPI_Aint* address); int MPI_Pack(const void* inbuf, int incount, MPI_Datatype datatype, void* outbuf, int outsize, int* position, MPI_Comm comm); int MPI_Unpack(const void* inbuf, int insize, int* position, void* outbuf, int outcount, MPI_Datatype datatype, MPI_Comm comm); int MPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int* size);
int MPI_Info_create(MPI_Info* info); int MPI_Info_free(MPI_Info* info); int MPI_Info_set(MPI_Info info, const char* key, const char* value); int MPI_Info_get(MPI_Info info, const char* key, int valuelen, char* value, int* flag); int MPI_Info_dup(MPI_Info info, MPI_Info* newinfo); int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr); int MPI_Free_mem(void* base);
int MPI_Win_create(void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win* win); int MPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr, MPI_Win* win); int MPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr, MPI_Win* win); int MPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint* size, int* disp_unit, void* baseptr); int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win); int MPI_Win_free(MPI_Win* win); int MPI_Win_fence(int assertion, MPI_Win win); int MPI_Win_lock(int lock_type, int rank, int assertion, MPI_Win win); int MPI_Win_unlock(int rank, MPI_Win win); int MPI_Win_lock_all(int assertion, MPI_Win win); int MPI_Win_unlock_all(MPI_Win win); int MPI_Win_flush(int rank, MPI_Win win); int MPI_Win_flush_all(MPI_Win win); int MPI_Win_flush_local(int rank, MPI_Win win); int MPI_Win_sync(MPI_Win win); int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win); int MPI_Win_complete(MPI_Win win); int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win); int MPI_Win_wait(MPI_Win win);
int MPI_Put(const void* origin, int ocount, MPI_Datatype otype, int rank, MPI_Aint disp, int tcount, MPI_Datatype ttype, MPI_Win win); int MPI_Get(void* origin, int ocount, MPI_Datatype otype, int rank, MPI_Aint disp, int tcount, MPI_Datatype ttype, MPI_Win win); int MPI_Accumulate(const void* origin, int ocount, MPI_Datatype otype, int rank, MPI_Aint disp, int tcount, MPI_Datatype ttype, MPI_Op op, MPI_Win win); int MPI_Fetch_and_op(const void* origin, void* result, MPI_Datatype type, int rank, MPI_Aint disp, MPI_Op op, MPI_Win win); int MPI_Compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type, int rank, MPI_Aint disp, MPI_Win win); int MPI_Rput(const void* origin, int ocount, MPI_Datatype otype, int rank, MPI_Aint disp, int tcount, MPI_Datatype ttype, MPI_Win win, MPI_Request* request); int MPI_Rget(void* origin, int ocount, MPI_Datatype otype, int rank, MPI_Aint disp, int tcount, MPI_Datatype ttype, MPI_Win win, MPI_Request* request);
int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm* cart); int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[]); int MPI_Cart_rank(MPI_Comm comm, const int coords[], int* rank); int MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int* src, int* dst); int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm* newcomm); int MPI_Dims_create(int nnodes, int ndims, int dims[]); int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[], const int sw[], int outdegree, const int dests[], const int dw[], MPI_Info info, int reorder, MPI_Comm* graph); MPI_Comm MPI_Comm_f2c(MPI_Fint comm); MPI_Fint MPI_Comm_c2f(MPI_Comm comm);
int MPI_File_open(MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* fh); int MPI_File_close(MPI_File* fh); int MPI_File_write_at(MPI_File fh, MPI_Offset offset, const void* buf, int count, MPI_Datatype datatype, MPI_Status* status); int MPI_File_read_at(MPI_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype, MPI_Status* status); int MPI_Pcontrol(const int level, ...);
#ifdef __cplusplus
}
#endif
