/* The call layer: kernels called on NumPy arrays.

   A kernel is compiled code with the signature of `Kernel` below. `args` points to the first item of every input and
   of the result; `strides`, in bytes, are for every array in turn that from state to state, then those of its core
   axes; `count` is the number of states.

   `Function` is a callable that gives arrays to a kernel as they are, without any work in Python, where they already
   are what the kernel reads: exact ndarrays of its type, aligned and C-contiguous, all a single state or all as many
   states; with `out`, if it is such an array that shares no memory with them; with `threads`, if it is one or the batch
   too small to be shared. Everything else goes to a callable in Python. That one arranges the arrays and calls `run`,
   which goes over any number of batch axes. */

#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MOST_ARRAYS = 32,
    MOST_CORE_AXES = 4,
    MOST_BATCH_AXES = 64,
    MOST_STRIDES = MOST_ARRAYS * (1 + MOST_CORE_AXES),
    WORTH_RELEASING = 4096, /* items read and written in some microseconds: from there on, other threads may run */
    PLAIN_THREADS = 64, /* of this many, or fewer, nobody has to ask whether a call can mean them */
};

typedef void (*Kernel)(char **args, const ptrdiff_t *strides, ptrdiff_t count);

typedef struct {
    int axes;
    npy_intp shape[MOST_CORE_AXES];
} Core;

/* A kernel by the integer that is its address: a converter for PyArg_Parse. */
static int
read_kernel(PyObject *address, void *kernel)
{
    size_t number = PyLong_AsSize_t(address);
    if (PyErr_Occurred())
        return 0;
    *(Kernel *)kernel = (Kernel)(uintptr_t)number;
    return 1;
}

/* Function */

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    Kernel kernel;
    PyArray_Descr *dtype;
    PyObject *slow; /* holds what the kernel's code lives in */
    PyObject *dict;
    PyObject *weakrefs;
    npy_intp worth_sharing; /* items, from which on several threads may share a batch */
    npy_intp state_items;
    int alone; /* whether the calling thread works alone unless more are asked for */
    Py_ssize_t inputs;
    Core cores[MOST_ARRAYS]; /* of the inputs, then of the result */
    ptrdiff_t strides[MOST_STRIDES];
} Function;

/* Whether the kernel can read an object as it is: as one state, or with one batch axis. */
static int
is_plain(const Function *self, const Core *core, PyObject *object, int batch_axes)
{
    if (!PyArray_CheckExact(object))
        return 0;
    PyArrayObject *array = (PyArrayObject *)object;
    if (PyArray_NDIM(array) != batch_axes + core->axes || PyArray_TYPE(array) != self->dtype->type_num ||
        !PyArray_ISCARRAY_RO(array))
        return 0;
    for (int i = 0; i < core->axes; i++)
        if (PyArray_DIM(array, batch_axes + i) != core->shape[i])
            return 0;
    return 1;
}

/* The number of states in plain arguments, with their number of batch axes, 0 or 1; -1 for arguments that are not. */
static npy_intp
plain_states(const Function *self, PyObject *const *args, int *batch_axes)
{
    if (self->inputs == 0 || !PyArray_CheckExact(args[0]))
        return -1;
    *batch_axes = PyArray_NDIM((PyArrayObject *)args[0]) > self->cores[0].axes;
    for (Py_ssize_t k = 0; k < self->inputs; k++)
        if (!is_plain(self, &self->cores[k], args[k], *batch_axes))
            return -1;
    if (!*batch_axes)
        return 1;
    npy_intp count = PyArray_DIM((PyArrayObject *)args[0], 0);
    for (Py_ssize_t k = 1; k < self->inputs; k++)
        if (PyArray_DIM((PyArrayObject *)args[k], 0) != count)
            return -1;
    return count;
}

static PyObject *
new_result(const Function *self, int batch_axes, npy_intp count)
{
    const Core *core = &self->cores[self->inputs];
    npy_intp shape[1 + MOST_CORE_AXES] = {count};
    for (int i = 0; i < core->axes; i++)
        shape[batch_axes + i] = core->shape[i];
    Py_INCREF(self->dtype);
    return PyArray_NewFromDescr(&PyArray_Type, self->dtype, batch_axes + core->axes, shape, NULL, NULL, 0, NULL);
}

static int
share_memory(PyObject *one, PyObject *other)
{
    PyArrayObject *a = (PyArrayObject *)one, *b = (PyArrayObject *)other;
    return PyArray_BYTES(a) < PyArray_BYTES(b) + PyArray_NBYTES(b) &&
           PyArray_BYTES(b) < PyArray_BYTES(a) + PyArray_NBYTES(a);
}

/* Whether the results of so many states can be written to an object as they are, without touching what is read. */
static int
can_take_results(const Function *self, PyObject *out, PyObject *const *args, int batch_axes, npy_intp count)
{
    if (!is_plain(self, &self->cores[self->inputs], out, batch_axes) || !PyArray_ISWRITEABLE((PyArrayObject *)out) ||
        (batch_axes && PyArray_DIM((PyArrayObject *)out, 0) != count))
        return 0;
    for (Py_ssize_t k = 0; k < self->inputs; k++)
        if (share_memory(out, args[k]))
            return 0;
    return 1;
}

typedef struct {
    PyObject *out; /* NULL for a new array */
    int alone;     /* whether the calling thread is to work alone, however many the states */
} Options;

/* Whether an object is a plain number of threads, or none; others are left to Python, to be taken or refused. */
static int
read_threads(PyObject *object, Options *options)
{
    int overflow;
    if (object == Py_None)
        return 1;
    long threads = PyLong_CheckExact(object) ? PyLong_AsLongAndOverflow(object, &overflow) : 0;
    options->alone = threads == 1;
    return threads >= 1 && threads <= PLAIN_THREADS;
}

/* Whether the arguments given by name are `out` and `threads`, and can be followed without help. */
static int
read_options(PyObject *const *values, PyObject *names, Options *options)
{
    for (Py_ssize_t i = 0; names != NULL && i < PyTuple_GET_SIZE(names); i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        if (PyUnicode_CompareWithASCIIString(name, "out") == 0)
            options->out = values[i] == Py_None ? NULL : values[i];
        else if (PyUnicode_CompareWithASCIIString(name, "threads") != 0 || !read_threads(values[i], options))
            return 0;
    }
    return 1;
}

static PyObject *
call_kernel(const Function *self, PyObject *const *args, PyObject *out, int batch_axes, npy_intp count)
{
    PyObject *result = out != NULL ? Py_NewRef(out) : new_result(self, batch_axes, count);
    if (result == NULL)
        return NULL;
    char *data[MOST_ARRAYS];
    for (Py_ssize_t k = 0; k < self->inputs; k++)
        data[k] = PyArray_BYTES((PyArrayObject *)args[k]);
    data[self->inputs] = PyArray_BYTES((PyArrayObject *)result);
    PyThreadState *released = count * self->state_items >= WORTH_RELEASING ? PyEval_SaveThread() : NULL;
    self->kernel(data, self->strides, count);
    if (released != NULL)
        PyEval_RestoreThread(released);
    return out != NULL ? result : PyArray_Return((PyArrayObject *)result);
}

static PyObject *
function_call(PyObject *callable, PyObject *const *args, size_t nargs, PyObject *names)
{
    const Function *self = (Function *)callable;
    Options options = {NULL, self->alone};
    if (PyVectorcall_NARGS(nargs) == self->inputs && read_options(args + self->inputs, names, &options)) {
        int batch_axes;
        npy_intp count = plain_states(self, args, &batch_axes);
        if (count >= 0 && (options.alone || count * self->state_items < self->worth_sharing) &&
            (options.out == NULL || can_take_results(self, options.out, args, batch_axes, count)))
            return call_kernel(self, args, options.out, batch_axes, count);
    }
    return PyObject_Vectorcall(self->slow, args, nargs, names);
}

static int
read_core(PyObject *shape, Core *core)
{
    if (!PyTuple_Check(shape) || PyTuple_GET_SIZE(shape) > MOST_CORE_AXES) {
        PyErr_Format(PyExc_ValueError, "a core shape is a tuple of at most %d lengths, not %R", MOST_CORE_AXES, shape);
        return -1;
    }
    core->axes = (int)PyTuple_GET_SIZE(shape);
    for (int i = 0; i < core->axes; i++) {
        core->shape[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape, i));
        if (core->shape[i] < 0) {
            if (!PyErr_Occurred())
                PyErr_Format(PyExc_ValueError, "a core shape has no negative lengths, but is %R", shape);
            return -1;
        }
    }
    return 0;
}

static int
read_cores(Function *self, PyObject *cores, PyObject *result)
{
    self->inputs = PyTuple_GET_SIZE(cores);
    if (self->inputs >= MOST_ARRAYS) {
        PyErr_Format(PyExc_ValueError, "a kernel has fewer than %d inputs, not %zd", MOST_ARRAYS, self->inputs);
        return -1;
    }
    for (Py_ssize_t k = 0; k < self->inputs; k++)
        if (read_core(PyTuple_GET_ITEM(cores, k), &self->cores[k]) < 0)
            return -1;
    return read_core(result, &self->cores[self->inputs]);
}

/* The strides of C-contiguous arrays, and how many items all of them have a state. */
static void
set_strides(Function *self)
{
    ptrdiff_t *strides = self->strides;
    for (Py_ssize_t k = 0; k <= self->inputs; k++) {
        const Core *core = &self->cores[k];
        npy_intp items = 1;
        for (int i = core->axes; i >= 0; i--) {
            strides[i] = items * PyDataType_ELSIZE(self->dtype);
            items *= i > 0 ? core->shape[i - 1] : 1;
        }
        self->state_items += items;
        strides += 1 + core->axes;
    }
}

static PyObject *
function_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"address", "cores", "result", "dtype", "slow", "worth_sharing", "alone", NULL};
    Kernel kernel;
    PyObject *cores, *result, *slow;
    PyArray_Descr *dtype = NULL;
    Py_ssize_t worth_sharing;
    int alone;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&O!OO&Onp:Function", names, read_kernel, &kernel, &PyTuple_Type,
                                     &cores, &result, PyArray_DescrConverter, &dtype, &slow, &worth_sharing, &alone))
        return NULL;
    Function *self = (Function *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_DECREF(dtype);
        return NULL;
    }
    self->vectorcall = function_call;
    self->kernel = kernel;
    self->dtype = dtype;
    self->slow = Py_NewRef(slow);
    self->worth_sharing = worth_sharing;
    self->alone = alone;
    if (read_cores(self, cores, result) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    set_strides(self);
    return (PyObject *)self;
}

static int
function_traverse(PyObject *callable, visitproc visit, void *arg)
{
    Function *self = (Function *)callable;
    Py_VISIT(self->slow);
    Py_VISIT(self->dict);
    return 0;
}

/* `slow` stays, so that a function can be called for as long as it is there: its own parts break what cycles it is in. */
static int
function_clear(PyObject *callable)
{
    Py_CLEAR(((Function *)callable)->dict);
    return 0;
}

static void
function_dealloc(PyObject *callable)
{
    Function *self = (Function *)callable;
    PyObject_GC_UnTrack(self);
    if (self->weakrefs != NULL)
        PyObject_ClearWeakRefs(callable);
    Py_XDECREF(self->dict);
    Py_XDECREF(self->slow);
    Py_XDECREF(self->dtype);
    Py_TYPE(callable)->tp_free(callable);
}

static PyObject *
function_repr(PyObject *callable)
{
    return PyObject_Repr(((Function *)callable)->slow);
}

static PyGetSetDef function_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject FunctionType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "linkwise.kernel._call.Function",
    .tp_basicsize = sizeof(Function),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_new = function_new,
    .tp_dealloc = function_dealloc,
    .tp_traverse = function_traverse,
    .tp_clear = function_clear,
    .tp_repr = function_repr,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(Function, vectorcall),
    .tp_dictoffset = offsetof(Function, dict),
    .tp_weaklistoffset = offsetof(Function, weakrefs),
    .tp_getset = function_getset,
};

/* run */

typedef struct {
    Kernel kernel;
    Py_ssize_t arrays;
    Py_ssize_t axes;
    npy_intp shape[MOST_BATCH_AXES];
    ptrdiff_t steps[MOST_BATCH_AXES][MOST_ARRAYS]; /* the strides of the batch axes */
    ptrdiff_t strides[MOST_STRIDES];               /* of the last batch axis and the core axes, as the kernel reads them */
    char *data[MOST_ARRAYS];
} Run;

/* The integers of a tuple; their number, or -1 with an error set. */
static Py_ssize_t
read_integers(PyObject *tuple, ptrdiff_t *into, Py_ssize_t least, Py_ssize_t most)
{
    Py_ssize_t length = PyTuple_Check(tuple) ? PyTuple_GET_SIZE(tuple) : -1;
    if (length < least || length > most) {
        PyErr_Format(PyExc_ValueError, "run takes a tuple of %zd to %zd integers here, not %R", least, most, tuple);
        return -1;
    }
    for (Py_ssize_t i = 0; i < length; i++) {
        into[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(tuple, i));
        if (into[i] == -1 && PyErr_Occurred())
            return -1;
    }
    return length;
}

static int
read_strides(Run *self, PyObject *strides)
{
    ptrdiff_t *next = self->strides;
    for (Py_ssize_t k = 0; k < self->arrays; k++) {
        ptrdiff_t own[MOST_BATCH_AXES + MOST_CORE_AXES];
        Py_ssize_t axes = read_integers(PyTuple_GET_ITEM(strides, k), own, self->axes, self->axes + MOST_CORE_AXES);
        if (axes < 0)
            return -1;
        for (Py_ssize_t i = 0; i < self->axes; i++)
            self->steps[i][k] = own[i];
        for (Py_ssize_t i = self->axes - 1; i < axes; i++)
            *next++ = own[i];
    }
    return 0;
}

static int
read_arrays(Run *self, PyObject *arrays, npy_intp start)
{
    for (Py_ssize_t k = 0; k < self->arrays; k++) {
        PyObject *array = PyTuple_GET_ITEM(arrays, k);
        if (!PyArray_Check(array)) {
            PyErr_Format(PyExc_TypeError, "run takes arrays, not %R", array);
            return -1;
        }
        self->data[k] = PyArray_BYTES((PyArrayObject *)array) + start * self->steps[self->axes - 1][k];
    }
    return 0;
}

static int
read_run(Run *self, PyObject *arrays, PyObject *strides, PyObject *shape, npy_intp start, npy_intp stop)
{
    self->arrays = PyTuple_GET_SIZE(arrays);
    if (self->arrays > MOST_ARRAYS || self->arrays != PyTuple_GET_SIZE(strides)) {
        PyErr_Format(PyExc_ValueError, "run takes at most %d arrays, and strides for each", MOST_ARRAYS);
        return -1;
    }
    self->axes = read_integers(shape, self->shape, 1, MOST_BATCH_AXES);
    if (self->axes < 0 || read_strides(self, strides) < 0 || read_arrays(self, arrays, start) < 0)
        return -1;
    self->shape[self->axes - 1] = stop - start;
    return 0;
}

static void
go_over(const Run *self, Py_ssize_t axis, char **data)
{
    if (axis == self->axes - 1) {
        self->kernel(data, self->strides, self->shape[axis]);
        return;
    }
    for (npy_intp i = 0; i < self->shape[axis]; i++) {
        char *here[MOST_ARRAYS];
        for (Py_ssize_t k = 0; k < self->arrays; k++)
            here[k] = data[k] + i * self->steps[axis][k];
        go_over(self, axis + 1, here);
    }
}

PyDoc_STRVAR(run_doc,
"run(address, arrays, strides, shape, start, stop)\n--\n\n"
"Call the kernel at an address, without the GIL, on a batch of some shape: the states of its last axis from start to\n"
"stop. The result is the last array; the strides of each are those of the batch axes, then of its core axes.");

static PyObject *
run(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *arrays, *strides, *shape;
    Py_ssize_t start, stop;
    Run self;
    if (!PyArg_ParseTuple(args, "O&O!O!Onn:run", read_kernel, &self.kernel, &PyTuple_Type, &arrays, &PyTuple_Type,
                          &strides, &shape, &start, &stop))
        return NULL;
    if (read_run(&self, arrays, strides, shape, start, stop) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    go_over(&self, 0, self.data);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

/* The module */

static PyMethodDef methods[] = {
    {"run", run, METH_VARARGS, run_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "linkwise.kernel._call",
    .m_doc = "The call layer in C.",
    .m_size = -1,
    .m_methods = methods,
};

PyMODINIT_FUNC
PyInit__call(void)
{
    import_array();
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL || PyModule_AddType(module, &FunctionType) < 0) {
        Py_XDECREF(module);
        return NULL;
    }
    return module;
}
